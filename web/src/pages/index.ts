import type { Component } from "svelte";
import { type Message, MESSAGES } from "../lib/catalogue";
import type { Text } from "../lib/types";
import { PUZZLE_WORDS } from "../learn/puzzles/catalogue";
import { WORDS } from "../people/catalogue";
import { WORDS as TEACHING } from "../teach/catalogue";

/** Every page of the site: a new one is a component and a line here. */

export interface Page {
  /** Its address. `:name` stands for a part that the component is given as a property, null where `:name?` is missing. */
  path: string;
  /** What the browser calls it; null for a page that says so itself. */
  title: Text | null;
  /** Fetched when somebody comes to the page. */
  load: () => Promise<{ default: Component<never> }>;
  /** Its name in the menu at the head of every page, or at their foot, if it stands there. */
  menu?: Message;
  foot?: Message;
  /** Without head and foot. */
  isBare?: boolean;
}

export const PAGES: Page[] = [
  { path: "/", title: null, load: () => import("./Home.svelte"), menu: "home" },
  { path: "/aprender/:game?", title: null, load: () => import("../learn/LessonsPage.svelte"), menu: "learn" },
  { path: "/aprender/:game/:name", title: null, load: () => import("../learn/LessonPage.svelte") },
  { path: "/problemas", title: PUZZLE_WORDS.puzzles, load: () => import("../learn/puzzles/PuzzlesPage.svelte") },
  { path: "/problemas/serie", title: PUZZLE_WORDS.streak, load: () => import("../learn/puzzles/StreakPage.svelte") },
  { path: "/problemas/relogio", title: PUZZLE_WORDS.storm, load: () => import("../learn/puzzles/StormPage.svelte") },
  { path: "/problemas/dia/:cycle", title: PUZZLE_WORDS.day, load: () => import("../learn/puzzles/DayPage.svelte") },
  { path: "/problemas/:game/:number?", title: null, load: () => import("../learn/puzzles/TrainingPage.svelte") },
  { path: "/rules/:id?", title: null, load: () => import("./RulesPage.svelte"), menu: "rules" },
  { path: "/erros", title: MESSAGES.my_mistakes, load: () => import("../learn/mistakes/MistakesPage.svelte") },
  { path: "/matematica/:id", title: null, load: () => import("./MathematicsPage.svelte") },
  { path: "/analysis/:session?", title: null, load: () => import("../analysis/Analysis.svelte"), menu: "analysis" },
  { path: "/analise/:session?", title: null, load: () => import("../analysis/Analysis.svelte") },
  { path: "/aberturas/:game?", title: null, load: () => import("../openings/ExplorerPage.svelte"), foot: "openings" },
  { path: "/mine", title: MESSAGES.mine, load: () => import("./Mine.svelte"), menu: "mine_short" },
  { path: "/play/:id", title: null, load: () => import("./NewGame.svelte") },
  { path: "/g/:id", title: null, load: () => import("./session/SessionPage.svelte") },
  { path: "/paper/:id?", title: null, load: () => import("./paper/PaperPage.svelte"), foot: "paper" },
  { path: "/fichas/:id?", title: null, load: () => import("../teach/Worksheets.svelte"), foot: "worksheets" },
  { path: "/votar/:code?", title: TEACHING.vote, load: () => import("../teach/VotePage.svelte") },
  { path: "/votacao/:id", title: null, load: () => import("../teach/VoteWall.svelte") },
  { path: "/projector", title: MESSAGES.projector, load: () => import("./ProjectorPage.svelte"), foot: "projector" },
  { path: "/entrar/:code?", title: WORDS.sign_in, load: () => import("../people/SignIn.svelte") },
  { path: "/classes/:id?", title: WORDS.classes, load: () => import("../people/Classes.svelte") },
  { path: "/lobby", title: WORDS.lobby, load: () => import("../people/Lobby.svelte") },
  { path: "/people/:id?", title: null, load: () => import("../people/Profile.svelte") },
  { path: "/privacy", title: WORDS.privacy, load: () => import("../people/Privacy.svelte"), foot: "privacy" },
  { path: "/privacidade", title: WORDS.privacy, load: () => import("../people/Privacy.svelte") },
  { path: "/me", title: WORDS.my_page, load: () => import("../people/MyPage.svelte") },
  { path: "/tarefas/:id?", title: TEACHING.sets, load: () => import("../teach/Sets.svelte") },
  { path: "/classes/:id/tarefas/:set", title: null, load: () => import("../teach/ResultsPage.svelte") },
  { path: "/registo", title: WORDS.audit, load: () => import("../people/AuditPage.svelte") },
  { path: "/campeonatos", title: MESSAGES.championships, load: () => import("../championship/Championships.svelte"), menu: "championships" },
  { path: "/campeonatos/:id", title: null, load: () => import("../championship/ChampionshipPage.svelte") },
  { path: "/campeonatos/:id/grupo/:section/:stage/:number", title: null, load: () => import("../championship/GroupPage.svelte") },
  { path: "/campeonatos/:id/inscritos", title: null, load: () => import("../championship/EntriesPage.svelte") },
  { path: "/campeonatos/:id/projetor/:what?", title: null, load: () => import("../championship/ProjectorPage.svelte") },
  { path: "/campeonatos/:id/regras", title: null, load: () => import("../championship/RulesPage.svelte") },
  { path: "/campeonatos/:id/arquivo", title: null, load: () => import("../championship/ArchivePage.svelte") },
  { path: "/campeonatos/:id/papel", title: null, load: () => import("../championship/PaperPage.svelte") },
  { path: "/embed/:kind/:id?/:second?/:third?/:fourth?", title: null, load: () => import("./embed/EmbedPage.svelte"), isBare: true },
  { path: "/bots", title: MESSAGES.bots, load: () => import("./Bots.svelte"), foot: "bots" },
];

export const NOT_FOUND: Page = { path: "", title: null, load: () => import("./NotFound.svelte") };

export interface Found {
  page: Page;
  properties: Record<string, string | null>;
}

/** The page at an address. */
export function pageAt(pages: Page[], address: string): Found {
  const given = address.split("/").filter(Boolean);
  for (const page of pages) {
    const parts = page.path.split("/").filter(Boolean);
    const needed = parts.filter((part) => !part.endsWith("?")).length;
    if (given.length < needed || given.length > parts.length) continue;
    if (!parts.every((part, place) => part.startsWith(":") || part === given[place])) continue;
    const names = parts.map((part, place): [string, string | null] => [part.replace(/^:|\?$/g, ""), given[place] ?? null]);
    return { page, properties: Object.fromEntries(names.filter((_, place) => parts[place]!.startsWith(":"))) };
  }
  return { page: NOT_FOUND, properties: {} };
}

/** The place of a page in the menu: its address without the parts that vary. */
export function menuAddress({ path }: Page): string {
  return path.replace(/\/:.*$/, "") || "/";
}
