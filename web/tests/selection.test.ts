import { describe, expect, it } from "vitest";
import { beginnings, continuations, directions, drop, hasGrip, offersOf, together, touch } from "../src/board/selection";
import type { Cell, Motion, Move, View } from "../src/lib/types";

const piece = (cell: Cell, colour = "black", kind = "marble") => ({ cell, kind, colour }) as View["pieces"][number];
const move = (text: string, clicks: Cell[], motions: Motion[] = [[clicks[0]!, clicks.at(-1)!]]): Move => ({ text, clicks, motions });
/** Touches cells one after the other. */
function touches(offers: ReturnType<typeof offersOf>, ...cells: Cell[]) {
  let done = touch(offers, [], cells[0]!);
  for (const cell of cells.slice(1)) done = touch(offers, done.picked, cell);
  return done;
}

describe("pieces that travel alone", () => {
  const [ab, ac, dc] = [move("a-b", [0, 1]), move("a-c", [0, 2]), move("d-c", [3, 2])];
  const offers = offersOf([ab, ac, dc], { pieces: [piece(0), piece(3)] });

  it("are picked, then sent", () => {
    expect([...beginnings(offers)]).toEqual([0, 3]);
    expect([...continuations(offers, [0]).targets]).toEqual([1, 2]);
    expect(touch(offers, [], 0)).toEqual({ picked: [0], choices: [], move: null, missed: null });
    expect(touches(offers, 0, 2).move).toBe(ac);
  });

  it("are put down when touched again, or given up for another one", () => {
    expect(touches(offers, 0, 0)).toMatchObject({ picked: [], missed: null });
    expect(touches(offers, 0, 3)).toMatchObject({ picked: [3], move: null, missed: null });
  });

  it("tell a touch that is no move", () => {
    expect(touches(offers, 9)).toMatchObject({ picked: [], move: null, missed: [9] });
    expect(touches(offers, 0, 9)).toMatchObject({ picked: [], move: null, missed: [0, 9] });
    expect(drop(offers, [0], 0, 9)).toMatchObject({ picked: [0], move: null, missed: [0, 9] });
  });

  it("never leave a move of one touch to a touch that misses", () => {
    const more = offersOf([ab, move("K@e", [5], [])], { pieces: [piece(0)] });
    expect(touches(more, 0, 5)).toMatchObject({ picked: [], move: null, missed: [0, 5] });
    expect(touches(more, 5).move?.text).toBe("K@e");
  });
});

describe("moves of one touch", () => {
  it("may be made by touching or dragging the piece that travels", () => {
    const offers = offersOf([move("to 1", [1], [[0, 1]]), move("to 2", [2], [[0, 2]])], { pieces: [piece(0, "", "marker")] });
    expect(touches(offers, 1).move?.text).toBe("to 1");
    expect(touches(offers, 0, 2).move?.text).toBe("to 2");
    expect(drop(offers, [0], 0, 2).move?.text).toBe("to 2");
    expect(hasGrip(offers, [], 0)).toBe(true);
    expect(hasGrip(offers, [], 1)).toBe(false);
  });

  it("sow seeds, also by dragging them along their way", () => {
    const sow = move("a", [0], [[0, 1], [0, 2], [2, 9]]);
    const offers = offersOf([sow], { pieces: [piece(0, "", "seeds"), piece(1, "", "seeds"), piece(2, "", "seeds")] });
    expect(touches(offers, 0).move).toBe(sow);
    expect(drop(offers, [], 0, 1).move).toBe(sow);
    expect(drop(offers, [], 0, 7)).toMatchObject({ move: null, missed: [0, 7] });
    expect([hasGrip(offers, [], 0), hasGrip(offers, [], 1)]).toEqual([true, false]);
  });

  it("place a new piece where a slide ends, and nothing can be gripped", () => {
    const offers = offersOf([move("3", [3], []), move("4", [4], [])], { pieces: [] });
    expect(drop(offers, [], 3, 4).move?.text).toBe("4");
    expect(drop(offers, [], 3, 8)).toMatchObject({ move: null });
    expect(hasGrip(offers, [], 3)).toBe(false);
  });
});

/**
 * A row of three, 10 11 12, with the cells 9 and 13 at its ends, 0 1 2 3 above and 20 21 22 23 below:
 *
 *       0   1   2   3
 *     9  10  11  12  13
 *      20  21  22  23
 */
describe("pieces that travel together", () => {
  const ROW = [10, 11, 12];
  const shifted = (cells: Cell[], by: number): Motion[] => cells.map((cell): Motion => [cell, cell + by]);
  const inLine = (first: Cell, last: Cell, to: Cell): Move => {
    const by = Math.sign(to - first);
    const cells = ROW.filter((cell) => (cell - first) * (last - cell) >= 0);
    return move(`${first}-${to}`, [first, to], shifted(cells, by));
  };
  const broadside = (first: Cell, last: Cell, by: number): Move =>
    move(`${first}=${last}${by}`, [first, last, first + by], shifted(ROW.filter((cell) => cell >= first && cell <= last), by));
  const [UP_LEFT, UP_RIGHT] = [-10, -9];
  const single = ROW.flatMap((cell) => [UP_LEFT, UP_RIGHT].map((by) => move(`${cell}${by}`, [cell, cell + by])));
  const moves = [
    ...single,
    inLine(10, 12, 13),
    inLine(11, 12, 13),
    inLine(12, 12, 13),
    inLine(12, 10, 9),
    inLine(11, 10, 9),
    inLine(10, 10, 9),
    ...[UP_LEFT, UP_RIGHT].flatMap((by) => [broadside(10, 12, by), broadside(10, 11, by), broadside(11, 12, by)]),
  ];
  const offers = offersOf(moves, { pieces: ROW.map((cell) => piece(cell)) });

  it.each([[[10]], [[10, 11, 12]], [[12, 11, 10]], [[11, 12, 10]], [[12, 10]], [[10, 12]], [[11, 10]]])("go forwards in line, touched as %j", (touched) => {
    expect(touches(offers, ...touched, 13).move?.text).toBe("10-13");
  });

  it("go as far as they were touched", () => {
    expect(touches(offers, 12, 13).move?.text).toBe("12-13");
    expect(touches(offers, 12, 11, 13).move?.text).toBe("11-13");
    expect(touches(offers, 12, 9).move?.text).toBe("12-9");
    expect(touches(offers, 10, 9).move?.text).toBe("10-9");
  });

  it.each([[[10, 11, 12]], [[12, 11, 10]], [[12, 10]], [[10, 12]]])("go sideways, touched as %j", (touched) => {
    expect(touches(offers, ...touched, 0).move?.text).toBe("10=12-10");
    expect(touches(offers, ...touched, 3).move?.text).toBe("10=12-9");
  });

  it("ask which way where a target may mean two", () => {
    const asked = touches(offers, 12, 11, 1 + 1);
    expect(asked).toMatchObject({ picked: [12, 11], move: null });
    expect(asked.choices.map(({ text }) => text)).toEqual(["11=12-10", "11=12-9"]);
    const ways = directions(offers.filter((offer) => asked.choices.includes(offer.move)), asked.picked);
    expect(ways.map(({ motion }) => motion)).toEqual([[11, 1], [12, 3]]);
    expect(touches(offers, 12, 11, 3).move?.text).toBe("11=12-9");
  });

  it("have arrows with heads of their own", () => {
    const heads = directions(offers, ROW).map(({ motion }) => motion[1]);
    expect(heads.sort((a, b) => a - b)).toEqual([0, 3, 9, 13]);
  });

  it("are joined by others, and left by one", () => {
    expect([...continuations(offers, [11]).joining].sort((a, b) => a - b)).toEqual([10, 12]);
    expect(touches(offers, 10, 11, 12, 11).picked).toEqual([10, 12]);
    expect(touches(offers, 10, 11, 10).picked).toEqual([11]);
  });

  it("never make a move by a touch elsewhere", () => {
    for (const touched of [[10], [10, 11], [10, 11, 12]]) {
      expect(touches(offers, ...touched, 22)).toMatchObject({ move: null, picked: [] });
    }
  });

  it("are dragged by any of them", () => {
    expect(drop(offers, [10, 11], 10, 1).move?.text).toBe("10=11-9");
    expect(drop(offers, [10, 11], 11, 1).move?.text).toBe("10=11-10");
    expect(drop(offers, [12, 11, 10], 10, 11).move?.text).toBe("10-13");
    expect(drop(offers, [12, 11, 10], 12, 13).move?.text).toBe("10-13");
  });

  it("one dragged over the others to the end of the row takes them along; dropped on one of them, it picks the row", () => {
    expect(drop(offers, [10], 10, 13).move?.text).toBe("10-13");
    expect(drop(offers, [10], 10, 12)).toMatchObject({ picked: [10, 12], move: null, missed: null });
  });

  it("push: any cell of those pushed, and behind them, is a target", () => {
    const push = move("10-13", [10, 13], [[13, 14], [12, 13], [11, 12], [10, 11]]);
    const pushing = offersOf([push], { pieces: [...ROW.map((cell) => piece(cell)), piece(13, "white")] });
    for (const target of [13, 14]) expect(touches(pushing, 12, 10, target).move).toBe(push);
  });

  describe("where the board can pick pieces together", () => {
    const pushing = offersOf(moves, { pieces: ROW.map((cell) => piece(cell)) }, true);

    it.each([
      [[10, 11], "10-13"],
      [[11, 12], "11-13"],
      [[12, 11], "12-9"],
      [[11, 10], "11-9"],
    ])("go along their row by the last piece and the next one: %j", (touched, text) => {
      expect(touches(pushing, ...touched).move?.text).toBe(text);
      expect(drop(pushing, [touched[0]!], touched[0]!, touched[1]!).move?.text).toBe(text);
    });

    it("tell the next piece from one that would only join", () => {
      expect([...continuations(pushing, [10]).targets].sort((a, b) => a - b)).toEqual([0, 1, 9, 11, 13]);
      expect([...continuations(pushing, [10]).joining]).toEqual([12]);
    });

    it("are still picked by their ends, where these are not side by side", () => {
      expect(touches(pushing, 10, 12)).toMatchObject({ picked: [10, 12], move: null });
      expect(touches(pushing, 10, 12, 0).move?.text).toBe("10=12-10");
      expect(drop(pushing, [10], 10, 12)).toMatchObject({ picked: [10, 12], move: null });
    });

    it("go sideways, two by two, once only such moves are offered", () => {
      const sideways = together(pushing);
      expect(sideways.map(({ move: { text } }) => text)).toEqual(moves.filter(({ clicks }) => clicks.length > 2).map(({ text }) => text));
      expect(touches(sideways, 11, 12)).toMatchObject({ picked: [11, 12], move: null });
      expect(touches(sideways, 11, 12, 3).move?.text).toBe("11=12-9");
      expect(touches(sideways, 12, 11, 1).move?.text).toBe("11=12-10");
    });

    it("go sideways when one of them is picked and its neighbour dragged", () => {
      expect(drop(pushing, [10], 11, 1).move?.text).toBe("10=11-10");
      expect(drop(pushing, [11], 10, 1).move?.text).toBe("10=11-9");
      expect(drop(pushing, [10], 11, 12).move?.text).toBe("10-13");
    });

    it("push by their front piece, if only one row can be meant", () => {
      const push = (from: Cell): Move => move(`${from}-13`, [from, 13], [13, 12, 11, 10].filter((cell) => cell >= from).map((cell): Motion => [cell, cell + 1]));
      const pieces = [...ROW.map((cell) => piece(cell)), piece(13, "white")];
      const two = offersOf([push(11)], { pieces }, true);
      expect(touches(two, 12, 13).move?.text).toBe("11-13");
      expect(drop(two, [12], 12, 13).move?.text).toBe("11-13");
      const twoOrThree = offersOf([push(11), push(10)], { pieces }, true);
      expect(touches(twoOrThree, 12, 13)).toMatchObject({ move: null, missed: [12, 13] });
    });
  });
});
