import { describe, expect, it } from "vitest";
import { read, written } from "../src/analysis/link";
import {
  beginning,
  empty,
  inOrder,
  lineFrom,
  lineTo,
  movesTo,
  movetext,
  withMove,
  promoted,
  readMovetext,
  received,
  removed,
  ROOT,
  sent,
  type Tree,
  lineThrough,
} from "../src/analysis/tree";

function grown(text: string): Tree {
  return received(readMovetext(text)!.map((node) => ({ ...node, player: 1 as const })));
}

function find(tree: Tree, ...moves: string[]): number {
  return moves.reduce((at, move) => tree.get(at)!.children.find((child) => tree.get(child)!.move === move)!, ROOT);
}

describe("a tree of variations", () => {
  it("grows by moves, and a move made twice is the same node", () => {
    const [one, first] = withMove(empty(), ROOT, "a1", 1);
    const [two, second] = withMove(one, first, "b1", 2);
    const [three, other] = withMove(two, first, "b2", 2);
    const [same, again] = withMove(three, first, "b1", 2);
    expect(movetext(three)).toBe("a1 b1 (b2)");
    expect(again).toBe(second);
    expect(same).toBe(three);
    expect(three.get(other)!.ply).toBe(2);
    expect(movetext(one)).toBe("a1");
  });

  it.each(["", "a b c", "a b (c d) e", "a b (c d (e f) g) (h) i", "a (b) (c)"])("is told and read: %s", (text) => {
    expect(movetext(grown(text))).toBe(text);
  });

  it.each(["(a)", "a (b", "a b) c", ") a"])("refuses brackets that make no sense: %s", (text) => {
    expect(readMovetext(text)).toBeNull();
  });

  it("is sent with every node after its parent", () => {
    const tree = grown("a b (c d) e");
    expect(sent(tree).map(({ parent, move }) => [parent, move])).toEqual([
      [0, "a"],
      [1, "b"],
      [2, "e"],
      [1, "c"],
      [4, "d"],
    ]);
    expect(movetext(received(sent(tree).map((node) => ({ ...node, player: 1 as const }))))).toBe("a b (c d) e");
  });

  it("knows the lines to and from a node", () => {
    const tree = grown("a b (c d) e");
    expect(movesTo(tree, find(tree, "a", "c", "d"))).toEqual(["a", "c", "d"]);
    expect(lineTo(tree, ROOT)).toEqual([ROOT]);
    expect(lineFrom(tree, ROOT).map((id) => tree.get(id)!.move)).toEqual(["", "a", "b", "e"]);
    expect(inOrder(tree).map((id) => tree.get(id)!.move)).toEqual(["a", "b", "e", "c", "d"]);
  });

  it("promotes the variation a node lies in", () => {
    const tree = grown("a b (c d (x y)) e");
    expect(beginning(tree, find(tree, "a", "b", "e"))).toBeNull();
    expect(movetext(promoted(tree, find(tree, "a", "c", "d")))).toBe("a c (b e) d (x y)");
    expect(movetext(promoted(tree, find(tree, "a", "c", "x", "y")))).toBe("a b (c x (d) y) e");
    expect(promoted(tree, find(tree, "a"))).toBe(tree);
  });

  it("forgets a node with all that follows it", () => {
    const tree = grown("a b (c d) e");
    const left = removed(tree, find(tree, "a", "c"));
    expect(movetext(left)).toBe("a b e");
    expect(left.size).toBe(4);
    expect(movetext(removed(tree, find(tree, "a", "b")))).toBe("a c d");
  });
});

describe("an address", () => {
  it("holds a whole analysed game", () => {
    const game = { game: "hex", options: { size: "7", swap: "false" }, start: "7/7/3w3/7/7/7/7 b -", at: 3, winner: 2 as const };
    const fragment = written({ ...game, moves: "a1 b2 (c3 d4) e5" });
    const found = read(fragment)!;
    expect(found).toMatchObject(game);
    expect(found.nodes.map(({ move }) => move)).toEqual(["a1", "b2", "c3", "d4", "e5"]);
    expect(found.nodes.map(({ parent }) => parent)).toEqual([0, 1, 1, 3, 2]);
  });

  it.each(["", "#", "#moves=a1", "#game=hex&moves=(a1"])("that tells of no game is refused: %s", (fragment) => {
    expect(read(fragment)).toBeNull();
  });

  it.each(["-1", "99", "x", "1.5"])("with a nonsensical place begins at the start: %s", (at) => {
    expect(read(`#game=hex&moves=a1&at=${at}`)!.at).toBe(0);
  });
});

describe("the line through a node", () => {
  const nodes = readMovetext("a b (c d) e")!;

  it.each([
    [0, ["a", "b", "e"], 0],
    [2, ["a", "b", "e"], 2],
    [4, ["a", "c", "d"], 3],
  ])("goes from the start over %d to the end", (at, moves, ply) => {
    expect(lineThrough(nodes, at)).toEqual({ moves, ply });
  });
});
