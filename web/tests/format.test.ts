import { describe, expect, it } from "vitest";
import { clockText, fill, numberText, sentence, turns } from "../src/lib/format";

describe("clocks", () => {
  it.each([
    [3725, "1:02:05"],
    [600, "10:00"],
    [59.9, "0:59"],
    [10, "0:10"],
    [9.96, "0:09.9"],
    [0, "0:00.0"],
    [-3, "0:00.0"],
  ])("%d seconds are %s", (seconds, text) => expect(clockText(seconds)).toBe(text));
});

describe("messages", () => {
  it("fills what it is given and leaves the rest", () => {
    expect(fill("{a} and {b}", { a: 1 })).toBe("1 and {b}");
    expect(fill("{a}. {b}.", { a: "Ana S.", b: "Rui" })).toBe("Ana S. Rui.");
  });
});

describe("rows of moves", () => {
  const move = (player: 1 | 2, text: string) => ({ player, text });
  const shown = (history: ReturnType<typeof move>[]) =>
    turns(history).map(({ moves }) => moves.map((side) => side.map(({ text }) => text).join("+")).join(" "));

  it("puts both players' moves side by side", () => {
    expect(shown([move(1, "a"), move(2, "b"), move(1, "c")])).toEqual(["a b", "c "]);
  });

  it("keeps several moves of one player together", () => {
    expect(shown([move(1, "a"), move(1, "b"), move(2, "c"), move(2, "d"), move(1, "e")])).toEqual(["a+b c+d", "e "]);
  });

  it("begins with the second player where the game does", () => {
    expect(shown([move(2, "a"), move(1, "b"), move(2, "c")])).toEqual([" a", "b c"]);
  });
});

describe("numbers", () => {
  it("are written as each language writes them", () => {
    expect(numberText(190131, "pt")).toBe("190\u00a0131");
    expect(numberText(1.5, "pt")).toBe("1,5");
    expect(numberText(190131, "en")).toBe("190,131");
  });
});

it.each([
  ["não há nenhuma votação com esse código", "Não há nenhuma votação com esse código."],
  ["é preciso um nome.", "É preciso um nome."],
  ["licao.md: linha 8: resposta errada", "licao.md: linha 8: resposta errada."],
  ["d4 está ocupada", "d4 está ocupada."],
  ["Hex não se joga assim", "Hex não se joga assim."],
])("a reason that stands alone is a sentence: %s", (pt, written) => {
  expect(sentence({ pt, en: pt }).pt).toBe(written);
});
