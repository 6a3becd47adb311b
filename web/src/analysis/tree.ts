import type { Player } from "../lib/types";

/**
 * A game with its variations. The first child of a node goes on with the line, the others begin variations. Trees are
 * never changed: what changes one gives a new one.
 */

export interface Node {
  parent: number;
  move: string;
  player: Player;
  comment: string;
  children: number[];
  ply: number;
}

/** By number; the root is 0 and has no move. Numbers stay when others are deleted. */
export type Tree = ReadonlyMap<number, Node>;

/** A node as it is sent to the server and received from it: parents first, counted from the root, which is 0. */
export interface SentNode {
  parent: number;
  move: string;
  player?: Player;
  comment: string;
}

export const ROOT = 0;

export function empty(): Tree {
  return new Map([[ROOT, { parent: ROOT, move: "", player: 1, comment: "", children: [], ply: 0 }]]);
}

export function received(nodes: (SentNode & { player: Player })[]): Tree {
  const tree = new Map(empty());
  nodes.forEach(({ parent, move, player, comment }, index) => {
    const before = tree.get(parent)!;
    tree.set(index + 1, { parent, move, player, comment, children: [], ply: before.ply + 1 });
    tree.set(parent, { ...before, children: [...before.children, index + 1] });
  });
  return tree;
}

/** Parents before their children, so that each can be made after the one it follows. */
export function sent(tree: Tree): SentNode[] {
  const places = new Map([[ROOT, 0]]);
  return inOrder(tree).map((id, index) => {
    places.set(id, index + 1);
    const { parent, move, comment } = tree.get(id)!;
    return { parent: places.get(parent)!, move, comment };
  });
}

/** Every node but the root, each before its children. */
export function inOrder(tree: Tree): number[] {
  const order: number[] = [];
  const waiting = [...tree.get(ROOT)!.children].reverse();
  while (waiting.length) {
    const id = waiting.pop()!;
    order.push(id);
    waiting.push(...[...tree.get(id)!.children].reverse());
  }
  return order;
}

/** The tree after a move, which is added unless it was there, and the node it leads to. */
export function withMove(tree: Tree, at: number, move: string, player: Player): [Tree, number] {
  const before = tree.get(at)!;
  const known = before.children.find((child) => tree.get(child)!.move === move);
  if (known !== undefined) return [tree, known];
  const id = Math.max(...tree.keys()) + 1;
  const grown = new Map(tree);
  grown.set(id, { parent: at, move, player, comment: "", children: [], ply: before.ply + 1 });
  grown.set(at, { ...before, children: [...before.children, id] });
  return [grown, id];
}

/** The tree without a node and all that follows it. */
export function removed(tree: Tree, id: number): Tree {
  const left = new Map(tree);
  const { parent } = tree.get(id)!;
  const above = tree.get(parent)!;
  left.set(parent, { ...above, children: above.children.filter((child) => child !== id) });
  const waiting = [id];
  while (waiting.length) {
    const gone = waiting.pop()!;
    waiting.push(...tree.get(gone)!.children);
    left.delete(gone);
  }
  return left;
}

/** The variation that a node lies in takes the place of the line it departs from. */
export function promoted(tree: Tree, id: number): Tree {
  const first = beginning(tree, id);
  if (first === null) return tree;
  const { parent } = tree.get(first)!;
  const above = tree.get(parent)!;
  const changed = new Map(tree);
  changed.set(parent, { ...above, children: [first, ...above.children.filter((child) => child !== first)] });
  return changed;
}

/** The first node of the variation that a node lies in; null for the main line. */
export function beginning(tree: Tree, id: number): number | null {
  for (const node of lineTo(tree, id).reverse()) {
    if (node !== ROOT && tree.get(tree.get(node)!.parent)!.children[0] !== node) return node;
  }
  return null;
}

/** The nodes from the root to one, both included. */
export function lineTo(tree: Tree, id: number): number[] {
  const line = [id];
  while (line[0] !== ROOT) line.unshift(tree.get(line[0]!)!.parent);
  return line;
}

/** A node and the first children after it. */
export function lineFrom(tree: Tree, id: number): number[] {
  const line = [id];
  for (;;) {
    const [next] = tree.get(line.at(-1)!)!.children;
    if (next === undefined) return line;
    line.push(next);
  }
}

export function movesTo(tree: Tree, id: number): string[] {
  return lineTo(tree, id)
    .slice(1)
    .map((node) => tree.get(node)!.move);
}

// ------------------------------------------------------------------------------------------------------- as a text

/** Moves with spaces between, each followed by the variations that could stand in its place, in brackets. */
export function movetext(tree: Tree): string {
  const [first] = tree.get(ROOT)!.children;
  return first === undefined ? "" : words(tree, first, true).join(" ");
}

function words(tree: Tree, from: number, isMain: boolean): string[] {
  return lineFrom(tree, from).flatMap((id, index) => {
    const { move, parent } = tree.get(id)!;
    // The first move of a variation does not tell its own siblings again.
    const others = index > 0 || isMain ? tree.get(parent)!.children.slice(1) : [];
    return [move, ...others.map((other) => `(${words(tree, other, false).join(" ")})`)];
  });
}

/** The nodes that a movetext tells of; null where its brackets make no sense. */
export function readMovetext(text: string): SentNode[] | null {
  const nodes: SentNode[] = [];
  const parents: number[] = [];
  let at = 0;
  for (const word of text.match(/[()]|[^\s()]+/g) ?? []) {
    if (word === "(") {
      if (at === 0) return null;
      parents.push(at);
      at = nodes[at - 1]!.parent;
    } else if (word === ")") {
      const back = parents.pop();
      if (back === undefined) return null;
      at = back;
    } else {
      nodes.push({ parent: at, move: word, comment: "" });
      at = nodes.length;
    }
  }
  return parents.length ? null : nodes;
}

/** The moves of the line through a node, counted from 1 as in `SentNode.parent`, to its end, and how many lead to it. */
export function lineThrough(nodes: SentNode[], at: number): { moves: string[]; ply: number } {
  const before: string[] = [];
  for (let node = at; node > 0; node = nodes[node - 1]!.parent) before.unshift(nodes[node - 1]!.move);
  const after: string[] = [];
  let node = at;
  for (;;) {
    const next = nodes.findIndex(({ parent }) => parent === node);
    if (next < 0) return { moves: [...before, ...after], ply: before.length };
    after.push(nodes[next]!.move);
    node = next + 1;
  }
}
