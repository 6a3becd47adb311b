import type {
  Board,
  EngineOpponent,
  GameSession,
  PersonOpponent,
  Sentence,
  SessionBody,
} from "./schema";

/**
 * What the server sends, under the names used here. `schema.d.ts` is made from the server's own description of its API
 * when the client is built.
 */

export type {
  Action,
  Bot,
  ClientMessage,
  Dangers,
  Diagram,
  Game,
  Move,
  MoveMade,
  Nickname,
  Option,
  Outcome,
  Overlay,
  Piece,
  Player,
  PositionAnswer,
  Rules,
  Seat,
  Seats,
  ServerMessage,
  SessionList,
  SessionSummary,
  Site,
  Span,
  Status,
  View,
} from "./schema";

export type Text = Sentence;
export type Language = keyof Sentence;
export type Geometry = Board;
export type Cell = number;
export type Point = [number, number];
export type Motion = [Cell, Cell];
export type Opponent = EngineOpponent | PersonOpponent;
/** A request about a game, whichever it is: the client knows none by name. */
export type OfAnyGame<Body> = Omit<Body, "game"> & { game: string };
export type SessionSettings = OfAnyGame<SessionBody>;
/** A session whose board is known: events leave it out, because it does not change. */
export type Session = GameSession & { geometry: Geometry };
