import type { LessonPage } from "../lib/schema";

export type LessonBlock = LessonPage["blocks"][number];

/** A piece of a lesson that is seen at once: what is read, and the task that it leads to. */
export interface Part {
  blocks: Exclude<LessonBlock, { type: "task" }>[];
  /** The name of its task; null for the words behind the last one. */
  task: string | null;
}

/** A lesson in its parts, each of which ends with a task. */
export function partsOf(blocks: LessonBlock[]): Part[] {
  const parts: Part[] = [];
  let read: Part["blocks"] = [];
  for (const block of blocks) {
    if (block.type === "task") {
      parts.push({ blocks: read, task: block.ref });
      read = [];
    } else read.push(block);
  }
  return read.length ? [...parts, { blocks: read, task: null }] : parts;
}

/** The first part that is not done; the last one, where all are. */
export function firstOpen(parts: Part[], solved: ReadonlySet<string>): number {
  const open = parts.findIndex(({ task }) => task !== null && !solved.has(task));
  return open < 0 ? parts.length - 1 : open;
}

export function isAllDone(parts: Part[], solved: ReadonlySet<string>): boolean {
  return parts.every(({ task }) => task === null || solved.has(task));
}
