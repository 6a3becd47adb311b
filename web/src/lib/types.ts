/** What the server sends. The board draws it and knows no rules. */

export type Language = "pt" | "en";
export type Text = Record<Language, string>;
export type Cell = number;
export type Point = [number, number];
export type Player = 1 | 2;

export interface Geometry {
  kind: "square" | "rhombus" | "hexagon" | "pits";
  cells: { name: string; x: number; y: number }[];
  /** The corners of one cell around its centre; empty for round pits. */
  outline: Point[];
  labels: { text: string; x: number; y: number }[];
  edges: { colour: string; points: Point[] }[];
  lines: [Point, Point][];
  steps: Record<string, (Cell | null)[]>;
}

export interface Piece {
  kind: string;
  colour: string;
  count: number;
  symbol: string;
  name: Text;
}

export type Motion = [Cell, Cell];

export interface Move {
  text: string;
  clicks: Cell[];
  motions: Motion[];
}

export interface Outcome {
  winner: Player | null;
  reason: Text & { code: string };
  score: [number, number] | null;
}

export interface View {
  position: string;
  turn: Player;
  colours: Record<Player, string | null>;
  pieces: (Piece & { cell: Cell })[];
  marks: { cell: Cell; text: string }[];
  moves: Move[];
  last: Move | null;
  outcome: Outcome | null;
  score: [number, number] | null;
  can_draw: boolean;
  /** What the player to move should know and cannot see on the board. */
  prompt: Text | null;
  description: Text;
  /** The board in plain text, left out of what is sent with every move. */
  text: Text | null;
}

export interface Option {
  name: string;
  default: string;
  values: string[];
  numbers: [number, number] | null;
  help: Text;
}

export interface Game {
  id: string;
  name: Text;
  summary: Text;
  author: string;
  cycles: string[];
  options: Option[];
  geometry: Geometry;
  preview: View;
}

export interface Span {
  text: string;
  style: "plain" | "bold" | "code";
}

export interface Diagram {
  type: "diagram";
  geometry: Geometry;
  view: View;
  arrows: Motion[];
  highlights: Cell[];
  legal: boolean;
  caption: Span[];
  options: Record<string, string>;
  play: string[];
  start: string;
}

export type Block =
  | { type: "heading"; level: number; text: Span[] }
  | { type: "paragraph"; text: Span[] }
  | { type: "list"; items: Span[][] }
  | Diagram;

export interface Rules {
  title: string;
  blocks: Block[];
}

export type Clock = { kind: "fischer"; minutes: number; increment: number } | { kind: "move"; seconds: number };

export type Opponent = { kind: "engine"; level: number } | { kind: "local" } | { kind: "friend" };

export interface NewSession {
  game: string;
  options: Record<string, string>;
  opponent: Opponent;
  side: "first" | "second" | "random";
  clock: Clock | null;
}

export interface Seat {
  kind: "guest" | "engine" | "open";
  name: string | null;
  level: number | null;
  connected: boolean;
}

export type Status = "waiting" | "playing" | "over";

export interface Session {
  id: string;
  number: number;
  game: string;
  name: Text;
  options: Record<string, string>;
  geometry: Geometry;
  status: Status;
  seats: Record<Player, Seat>;
  your_seats: Player[];
  clock: {
    kind: Clock["kind"];
    initial: number;
    increment: number;
    left: Record<Player, number>;
    running: Player | null;
  } | null;
  view: View;
  history: { ply: number; text: string; player: Player }[];
  offers: { draw: Player | null; takeback: Player | null };
  rematch: string | null;
  spectators: number;
  share: string;
}

/** A program that plays with a token. */
export interface Bot {
  id: number;
  name: string;
}

export interface SessionSummary {
  id: string;
  game: string;
  status: Status;
  turn: Player;
  your_seats: Player[];
  players: Record<Player, Seat>;
  outcome: Outcome | null;
  moves: number;
  /** Seconds since 1970. */
  updated: number;
}
