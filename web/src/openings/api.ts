import { ask } from "../lib/api";
import type { KnownValues, OpeningResults, OpeningSource, Openings, PositionBody } from "../lib/schema";
import type { OfAnyGame } from "../lib/types";

export type { KnownValues, OpeningResults, OpeningSource, Openings };

type Asked = OfAnyGame<PositionBody>;

export const openings = {
  counted: (position: Asked) => ask<Openings>("POST", "/openings", position),
  known: (position: Asked) => ask<KnownValues>("POST", "/openings/known", position),
};
