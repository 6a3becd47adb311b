import { API, ask } from "../lib/api";
import type {
  Appointed,
  ArbiterLine,
  ChampionshipLine,
  CheckInLine,
  CorrectionBody,
  DoneAnswer,
  Entries,
  Figures,
  Groups,
  ListBody,
  LogLine,
  NewBody,
  Overview,
  PlayedGames,
  PresenceBody,
  PrintedCards,
  Registered,
  Rehearsed,
  ResultBody,
  RulesView,
  Seated,
  Template,
} from "../lib/schema";

/** What the pages of championships ask of the server. */

const place = (id: string): string => `/championships/${encodeURIComponent(id)}`;

export const fileAddress = (id: string, kind: string): string => `${API}${place(id)}/file/${kind}`;
export const recordsAddress = (id: string): string => `${API}${place(id)}/records`;
export const qrAddress = (id: string, group?: string): string => `${API}${place(id)}/qr.svg${group ? `?group=${encodeURIComponent(group)}` : ""}`;

export const cups = {
  list: () => ask<ChampionshipLine[]>("GET", "/championships"),
  templates: () => ask<Template[]>("GET", "/championships/templates"),
  make: (body: Partial<NewBody>) => ask<Registered>("POST", "/championships", body),
  open: (file: string) => ask<Registered>("POST", "/championships/import", { file }),
  checkIn: (guest: number) => ask<CheckInLine[]>("GET", `/championships/check-in/${guest}`),
  show: (id: string) => ask<Overview>("GET", place(id)),
  remove: (id: string) => ask<unknown>("DELETE", place(id)),
  everyGroup: (id: string) => ask<Groups>("GET", `${place(id)}/groups?every=true`),
  groups: (id: string, since = 0) => ask<Groups>("GET", `${place(id)}/groups?since=${since}`),
  group: (id: string, group: string) => ask<Groups>("GET", `${place(id)}/groups/${group}`),
  entries: (id: string) => ask<Entries>("GET", `${place(id)}/entries`),
  register: (id: string, body: Partial<ListBody>) => ask<Registered>("POST", `${place(id)}/entries`, body),
  presence: (id: string, body: PresenceBody) => ask<unknown>("POST", `${place(id)}/presence`, body),
  swap: (id: string, section: string, out: number, name: string) => ask<unknown>("POST", `${place(id)}/swaps`, { section, out, name }),
  draw: (id: string, section: string | null) => ask<DoneAnswer>("POST", `${place(id)}/draws`, { section }),
  pair: (id: string, group: string | null, again = false) => ask<DoneAnswer>("POST", `${place(id)}/rounds`, { group, again }),
  pairByHand: (id: string, group: string, pairs: [number, number | null][], only_ask: boolean) => ask<DoneAnswer>("POST", `${place(id)}/rounds`, { group, pairs, only_ask }),
  playOff: (id: string, group: string, order: number[]) => ask<unknown>("POST", `${place(id)}/playoffs`, { group, order }),
  rules: (id: string) => ask<RulesView>("GET", `${place(id)}/settings`),
  changeRules: (id: string, section: string | null, stage: number, settings: Record<string, unknown>) => ask<unknown>("PUT", `${place(id)}/settings`, { section, stage, settings }),
  rehearse: (id: string) => ask<Rehearsed>("POST", `${place(id)}/rehearsal`),
  figures: (id: string) => ask<Figures>("GET", `${place(id)}/figures`),
  games: (id: string) => ask<PlayedGames>("GET", `${place(id)}/games`),
  lots: (id: string, group: string | null) => ask<DoneAnswer>("POST", `${place(id)}/lots`, { group }),
  result: (id: string, body: Partial<ResultBody>) => ask<unknown>("POST", `${place(id)}/results`, body),
  correct: (id: string, body: Partial<CorrectionBody>) => ask<unknown>("POST", `${place(id)}/corrections`, body),
  undo: (id: string, event: number, reason: string) => ask<unknown>("POST", `${place(id)}/undo`, { event, reason }),
  publish: (id: string, published: boolean, full_names: boolean) => ask<unknown>("PUT", `${place(id)}/publication`, { published, full_names }),
  log: (id: string) => ask<LogLine[]>("GET", `${place(id)}/log`),
  arbiters: (id: string) => ask<ArbiterLine[]>("GET", `${place(id)}/arbiters`),
  appoint: (id: string, name: string, section: string) => ask<Appointed>("POST", `${place(id)}/arbiters`, { name, section }),
  dismiss: (id: string, guest: number) => ask<unknown>("DELETE", `${place(id)}/arbiters/${guest}`),
  cards: (id: string, persons: number[] | null) => ask<PrintedCards>("POST", `${place(id)}/cards`, { persons }),
  sit: (id: string) => ask<Seated>("POST", `${place(id)}/table`),
  call: (id: string) => ask<unknown>("POST", `${place(id)}/calls`),
  answerCall: (id: string, call: number) => ask<unknown>("DELETE", `${place(id)}/calls/${call}`),
};
