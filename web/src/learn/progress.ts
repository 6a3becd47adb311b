import type { GameLessons } from "../lib/schema";

type Line = GameLessons["lessons"][number];

export const isDone = ({ solved, tasks }: Line): boolean => solved === tasks;

/** The lesson to go on with: the first that is not done, or the first of all. */
export function nextLesson({ lessons }: GameLessons): Line {
  return lessons.find((lesson) => !isDone(lesson)) ?? lessons[0]!;
}
