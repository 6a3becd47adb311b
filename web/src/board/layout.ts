import { ringed, sizes } from "../../../src/tabuleiro/theme.json";
import type { Cell, Geometry, Point } from "../lib/types";

/**
 * Where everything of a board is drawn. Lengths are in hundredths of the distance between neighbouring cells; the board
 * may be turned by quarter turns while letters stay upright.
 */

const UNIT = 100;
const HOUSE = sizes.house;
const STORE = sizes.store as Point;
/** Between the middle of a seed and the rim of its store. */
const SEED = 18;
/** From the middle of a house to the line of its letter, where the name of its owner stands too. */
const OWNER = 92;
/** How far the playing area reaches beyond the cells, and how round the corners of the frame are. */
const TRAY = sizes.tray;
const CORNER = sizes.corner;

/** Colours whose pieces carry a ring and whose sides carry studs, to be told apart without seeing colour. */
export const RINGED = ringed;
export const BUTTON = 84;
export const PLATE = sizes.plate;
export const DOT = sizes.dot;
export const RING_OPACITY = sizes.ring_opacity;

export interface Layout {
  box: { x: number; y: number; width: number; height: number };
  centres: Point[];
  /** The shape of each cell as a path, by default at its own size. */
  shape: (cell: Cell, scale?: number) => string;
  /** What a finger may touch: as much of the board as belongs to the cell. */
  reach: string[];
  tones: number[];
  stores: Set<Cell>;
  /** The houses of each colour: the line on which they stand, where the name of their owner is written and how far it
   * is turned (degrees), and the colour's store. */
  owned: { colour: string; row: string; name: Point; turn: number; store: Cell }[];
  round: boolean;
  frame: string;
  rim: string;
  tray: string | null;
  edges: { colour: string; path: string; studs: string }[];
  lines: string;
  /** Coordinates, and numbers that the rules give to rows. */
  labels: { text: string; at: Point; isRowNumber: boolean }[];
  labelSize: number;
  grain: string;
  middle: Point;
  /** The middle of a round button in a corner that the board leaves free, of radius `BUTTON`; none on other boards. */
  corner: Point | null;
}

export function turned([x, y]: Point, quarters: number): Point {
  switch (((quarters % 4) + 4) % 4) {
    case 1:
      return [-y, x];
    case 2:
      return [-x, -y];
    case 3:
      return [y, -x];
    default:
      return [x, y];
  }
}

export function layout(geometry: Geometry, quarters: number, coordinates: boolean): Layout {
  const { kind } = geometry;
  const at = (point: Point): Point => {
    const [x, y] = turned(point, quarters);
    return [x * UNIT, y * UNIT];
  };
  const centres = geometry.cells.map(({ x, y }) => at([x, y]));
  const xs = centres.map(([x]) => x);
  const ys = centres.map(([, y]) => y);
  const middle: Point = [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
  const round = kind === "hexagon" || kind === "pits";
  const onItsOwn = (cell: Cell) => Object.values(geometry.steps).every((step) => step[cell] == null);
  const stores = new Set(kind === "pits" ? centres.map((_, cell) => cell).filter(onItsOwn) : []);
  const [storeX, storeY]: Point = quarters % 2 ? [STORE[1], STORE[0]] : STORE;
  const outline = geometry.outline.map(at);

  const corners = (cell: Cell, scale = 1): Point[] => {
    const [x, y] = centres[cell]!;
    return outline.map(([dx, dy]) => [x + dx * scale, y + dy * scale]);
  };
  const shape = (cell: Cell, scale = 1): string => {
    const [x, y] = centres[cell]!;
    if (stores.has(cell)) return pill(x, y, storeX * scale, storeY * scale);
    if (round) return pill(x, y, HOUSE * scale, HOUSE * scale);
    return closed(corners(cell, scale));
  };
  const held = centres.flatMap(([x, y], cell): Point[] => {
    if (kind === "hexagon") return [[x, y]];
    if (kind === "pits") {
      const [rx, ry] = stores.has(cell) ? [storeX, storeY] : [HOUSE, HOUSE];
      return [
        [x - rx, y - ry],
        [x + rx, y + ry],
      ];
    }
    return corners(cell);
  });

  const inside = kind === "square" || kind === "pits" ? boxOf(held) : hull(held);
  // Boards of all sizes are shown about equally large, and so are their labels.
  const [[x0, y0], , [x1, y1]] = boxOf(inside) as [Point, Point, Point, Point];
  const labelSize = Math.min(sizes.label.largest, sizes.label.share * Math.max(x1 - x0, y1 - y0));
  const labels = geometry.labels.map(({ text, x, y, kind: sort }) => {
    const place = at([x, y]);
    const isRowNumber = sort === "row_number";
    if (kind === "square") return { text, isRowNumber, at: nearer(inside, place, TRAY.square + labelSize) };
    // Beside houses that stand one below the other there must be room for the number of seeds.
    return { text, isRowNumber, at: kind === "pits" && quarters % 2 ? nearer(inside, place, 70) : place };
  });
  let thickness = TRAY[kind] + 24;
  if (coordinates) {
    thickness = Math.max(thickness, ...labels.map((label) => beyond(inside, label.at) + sizes.label.room * labelSize));
  }
  const border = grown(inside, thickness - CORNER[kind]);
  const spare = CORNER[kind] + 8;
  const [[left, top], , [right, bottom]] = boxOf(border) as [Point, Point, Point, Point];
  const box = {
    x: left - spare,
    y: top - spare,
    width: right - left + 2 * spare,
    height: bottom - top + 2 * spare,
  };

  const edges = geometry.edges.map(({ colour, points }) => {
    const placed = points.map(at);
    // The sides go round the board clockwise, and cells cover the inner half of the band.
    const [dx, dy] = outward([placed[0]!, placed.at(-1)!])[0]!;
    return { colour, path: open(placed), studs: open(placed.map(([x, y]) => [x + 11 * dx, y + 11 * dy])) };
  });

  const owned = geometry.owned.map(({ colour, cells }) => {
    const houses = cells.filter((cell) => !stores.has(cell));
    const [first, last] = [centres[houses[0]!]!, centres[houses.at(-1)!]!];
    const half: Point = [(first[0] + last[0]) / 2, (first[1] + last[1]) / 2];
    const [dx, dy] = quarters % 2 ? [Math.sign(half[0] - middle[0]), 0] : [0, Math.sign(half[1] - middle[1])];
    const away = quarters % 2 ? HOUSE + 70 : OWNER;
    const name: Point = [half[0] + dx * away, half[1] + dy * away];
    return { colour, row: open([first, last]), name, turn: 90 * dx, store: cells.find((cell) => stores.has(cell))! };
  });

  return {
    box,
    centres,
    shape,
    reach: centres.map(([x, y], cell) => {
      if (kind !== "pits") return closed(corners(cell));
      const [rx, ry] = stores.has(cell) ? [storeX, storeY] : [50, 62];
      return pill(x, y, rx, ry);
    }),
    tones: geometry.cells.map(({ x, y }) => (kind === "square" ? mod(x + y + 1, 2) : tone(x, y))),
    stores,
    owned,
    round,
    frame: rounded(border, CORNER[kind]),
    rim: rounded(border, CORNER[kind] - 4),
    tray: kind === "square" || kind === "hexagon" ? rounded(inside, TRAY[kind]) : null,
    edges,
    lines: geometry.lines.map(([from, to]) => open([at(from), at(to)])).join(""),
    labels,
    labelSize,
    grain: grain(box.x, box.y, box.x + box.width, box.y + box.height),
    middle,
    corner: kind === "hexagon" ? [box.x + box.width - BUTTON - 4, box.y + box.height - BUTTON - 4] : null,
  };
}

/** How a board stands in the room there is: boards whose sides do not mean near and far stand on end where that makes
 * them clearly larger. */
export function standing(
  geometry: Geometry,
  coordinates: boolean,
  width: number,
  height: number,
): { upright: boolean; ratio: number } {
  const lying = layout(geometry, 0, coordinates).box;
  const room = [Math.min(width, 1000), height - 184] as const;
  const flat = Math.min(room[0] / lying.width, room[1] / lying.height);
  const tall = Math.min(room[0] / lying.height, room[1] / lying.width);
  const upright = ["rhombus", "pits"].includes(geometry.kind) && width < 720 && tall > 1.15 * flat;
  return { upright, ratio: upright ? lying.height / lying.width : lying.width / lying.height };
}

/** Three tones for hexagons, so that neighbours differ. */
function tone(x: number, y: number): number {
  const sum = x / (Math.sqrt(3) / 2);
  return mod(Math.round((sum - 2 * y) / 2) + 2 * Math.round((sum + 2 * y) / 2), 3);
}

function mod(value: number, by: number): number {
  return ((Math.round(value) % by) + by) % by;
}

/** Places for seeds in a disc of radius one: up to twelve in one or two rings, more in a sunflower's spiral. */
export function strewn(count: number, turn: number, loosely: boolean): Point[] {
  if (count > 12 || loosely) {
    const angle = Math.PI * (3 - Math.sqrt(5));
    return Array.from({ length: count }, (_, number) => {
      const reach = Math.sqrt((number + 0.5) / count);
      return [reach * Math.cos(number * angle + turn), reach * Math.sin(number * angle + turn)];
    });
  }
  const inner = count !== 1 && count < 6 ? 0 : count < 9 ? 1 : count < 11 ? count - 7 : count - 8;
  const outer = count - inner;
  const rings: [number, number][] = [
    [inner, inner === 1 ? 0 : 0.4],
    [outer, count < 5 ? 0.62 : 0.95],
  ];
  return rings.flatMap(([held, radius]) =>
    Array.from({ length: held }, (_, number): Point => {
      const angle = (2 * Math.PI * number) / held + turn;
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    }),
  );
}

/** Where the plate with the number of seeds lies from the middle of its house: outside, away from the board's middle. */
export function plateAt({ centres, stores, middle }: Layout, cell: Cell, upright: boolean): Point {
  const [x, y] = centres[cell]!;
  if (stores.has(cell)) return [0, upright ? (STORE[0] + PLATE.away + 6) * (y < middle[1] ? -1 : 1) : STORE[1] + PLATE.away];
  if (!upright) return [0, (HOUSE + PLATE.away) * (y < middle[1] ? -1 : 1)];
  // Beside a house it must clear the house by half its own length.
  return [(HOUSE + PLATE.away + 7) * (x < middle[0] ? -1 : 1), 0];
}

/** Places for seeds around the middle of their house or store; a store that lies has its long side across. */
export function seedPlaces({ stores }: Layout, cell: Cell, count: number, upright: boolean): Point[] {
  const isStore = stores.has(cell);
  const [narrow, long] = [STORE[0] - SEED, STORE[1] - SEED];
  const [rx, ry] = !isStore ? [27, 27] : upright ? [long, narrow] : [narrow, long];
  return strewn(count, cell, isStore).map(([x, y]) => [rx * x, ry * y]);
}

export function arrow([x0, y0]: Point, [x1, y1]: Point): { points: string; transform: string } {
  const length = Math.hypot(x1 - x0, y1 - y0) - 12;
  const neck = length - 34;
  const shape: Point[] = [
    [14, -8],
    [neck, -8],
    [neck, -26],
    [length, 0],
    [neck, 26],
    [neck, 8],
    [14, 8],
  ];
  const angle = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
  return {
    points: shape.map(([x, y]) => `${n(x)},${n(y)}`).join(" "),
    transform: `translate(${n(x0)} ${n(y0)}) rotate(${n(angle)})`,
  };
}

/** A rectangle with round ends around two points, so far from each. */
export function capsule([x0, y0]: Point, [x1, y1]: Point, far: number): Record<"x" | "y" | "width" | "height" | "rx" | "transform", string> {
  const angle = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
  return {
    x: n(-far),
    y: n(-far),
    width: n(Math.hypot(x1 - x0, y1 - y0) + 2 * far),
    height: n(2 * far),
    rx: n(far * 0.6),
    transform: `translate(${n(x0)} ${n(y0)}) rotate(${n(angle)})`,
  };
}

// ------------------------------------------------------------------------------------------------------------- shapes

/** A number in as few characters as a picture needs. */
function n(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

function open(points: Point[]): string {
  return "M" + points.map(([x, y]) => `${n(x)} ${n(y)}`).join("L");
}

function closed(points: Point[]): string {
  return `${open(points)}Z`;
}

/** A circle, or a rectangle whose short sides are half circles. */
function pill(x: number, y: number, rx: number, ry: number): string {
  const r = Math.min(rx, ry);
  const [w, h] = [rx - r, ry - r];
  const arc = (dx: number, dy: number) => `a${n(r)} ${n(r)} 0 0 1 ${n(dx)} ${n(dy)}`;
  return (
    `M${n(x - rx)} ${n(y - h)}${arc(r, -r)}h${n(2 * w)}${arc(r, r)}v${n(2 * h)}` +
    `${arc(-r, r)}h${n(-2 * w)}${arc(-r, -r)}Z`
  );
}

/** The corners of the rectangle around points, clockwise as seen (y points down). */
function boxOf(points: Point[]): Point[] {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [x0, y0, x1, y1] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
}

/** The corners of the convex hull, clockwise as seen. */
function hull(points: Point[]): Point[] {
  const half = (ordered: Point[]): Point[] => {
    const chain: Point[] = [];
    for (const [x, y] of ordered) {
      while (chain.length > 1) {
        const [[ax, ay], [bx, by]] = chain.slice(-2) as [Point, Point];
        // A bend that only rounding makes is no corner.
        if ((bx - ax) * (y - by) - (by - ay) * (x - bx) > 10) break;
        chain.pop();
      }
      chain.push([x, y]);
    }
    return chain.slice(0, -1);
  };
  const ordered = [...points].sort(([ax, ay], [bx, by]) => (Math.abs(ax - bx) > 1e-6 ? ax - bx : ay - by));
  return [...half(ordered), ...half(ordered.reverse())];
}

/** For each side of a clockwise polygon, the direction away from it, of length one. */
function outward(corners: Point[]): Point[] {
  return corners.map(([x0, y0], side) => {
    const [x1, y1] = corners[(side + 1) % corners.length]!;
    const length = Math.hypot(x1 - x0, y1 - y0);
    return [(y1 - y0) / length, (x0 - x1) / length];
  });
}

/** How far a point lies outside a convex polygon. */
function beyond(corners: Point[], [px, py]: Point): number {
  return Math.max(
    ...outward(corners).map(([dx, dy], side) => (px - corners[side]![0]) * dx + (py - corners[side]![1]) * dy),
  );
}

/** A point outside a convex polygon, brought to a distance from the side it lies beyond. */
function nearer(corners: Point[], [px, py]: Point, distance: number): Point {
  const away = outward(corners);
  const excess = away.map(([dx, dy], side) => (px - corners[side]![0]) * dx + (py - corners[side]![1]) * dy);
  const side = excess.indexOf(Math.max(...excess));
  const [dx, dy] = away[side]!;
  const back = excess[side]! - distance;
  return [px - dx * back, py - dy * back];
}

/** A convex polygon with every side moved outwards. */
function grown(corners: Point[], by: number): Point[] {
  const after = outward(corners);
  return corners.map(([x, y], side) => {
    const [ax, ay] = after[(side + corners.length - 1) % corners.length]!;
    const [bx, by_] = after[side]!;
    const share = by / (1 + ax * bx + ay * by_);
    return [x + (ax + bx) * share, y + (ay + by_) * share];
  });
}

/** The path around a convex polygon at a distance, with round corners. */
function rounded(corners: Point[], radius: number): string {
  const away = outward(corners);
  const sides = corners.map(([x0, y0], side) => {
    const [x1, y1] = corners[(side + 1) % corners.length]!;
    const [dx, dy] = away[side]!;
    return `${n(x0 + dx * radius)} ${n(y0 + dy * radius)}L${n(x1 + dx * radius)} ${n(y1 + dy * radius)}`;
  });
  const arc = `A${n(radius)} ${n(radius)} 0 0 1 `;
  const first = sides[0]!.slice(0, sides[0]!.indexOf("L"));
  return `M${[...sides, first].join(arc)}Z`;
}

/** Wavy lines along the board, as in wood. */
function grain(x0: number, y0: number, x1: number, y1: number): string {
  const lines: string[] = [];
  const span = (x1 - x0) / 4;
  for (let number = 0; number <= (y1 - y0) / 23; number++) {
    const y = y0 + number * 23 + 7 * Math.sin(number * 2.4);
    const wave = 5 + 6 * Math.sin(number * 1.7) ** 2;
    const next = `t${n(span)} 0`;
    lines.push(`M${n(x0)} ${n(y)}q${n(span / 2)} ${n(-wave)} ${n(span)} 0${next}${next}${next}`);
  }
  return lines.join("");
}
