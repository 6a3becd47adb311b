import { API, ask } from "../lib/api";
import type {
  Accepted,
  Adult,
  AuditLine,
  Challenged,
  ClassLine,
  ClassView,
  Invitation,
  LobbyView,
  Me,
  OneSignIn,
  PrintedCards,
  Profile,
  ProfileGames,
  RulesBody,
  SignInBody,
  SiteSettings,
  Welcome,
} from "../lib/schema";

/** What the pages of people ask of the server. */

export type Door = SignInBody["door"];
export type Rules = Omit<RulesBody, "games"> & { games: string[] | null };
export interface Wish {
  to: number | null;
  game: string;
  best_of: 1 | 3;
}
export interface Roster {
  names: string;
  file: string | null;
}

const classPath = (id: string): string => `/classes/${encodeURIComponent(id)}`;

const challengePath = (id: string): string => `/challenges/${encodeURIComponent(id)}`;

export const profileAddress = (guest: number): string => `${API}/people/${guest}/export`;
export const exportAddress = (id: string, kind: string): string => `${API}${classPath(id)}/export/${kind}`;

export const people = {
  me: () => ask<Me>("GET", "/person"),
  signIn: (door: Door) => ask<Welcome>("POST", "/person/sign-in", { door }),
  signOut: () => ask<Me>("DELETE", "/person/sign-in"),
  keep: () => ask<Me>("POST", "/person/keep"),
  signIns: () => ask<OneSignIn[]>("GET", "/person/sign-ins"),
  endSignIn: (id: number) => ask<unknown>("DELETE", `/person/sign-ins/${id}`),
  setPassword: (login: string, password: string, current: string | null) =>
    ask<Me>("PUT", "/person/password", { login, password, current }),
  audit: () => ask<AuditLine[]>("GET", "/audit"),
  adults: () => ask<Adult[]>("GET", "/adults"),
  invite: (name: string, role: string) => ask<Invitation>("POST", "/adults", { name, role }),
  newLink: (guest: number) => ask<Invitation>("POST", `/adults/${guest}/link`),
  endAdult: (guest: number) => ask<unknown>("DELETE", `/adults/${guest}`),
  classes: () => ask<ClassLine[]>("GET", "/classes"),
  makeClass: (name: string, roster: Roster) => ask<PrintedCards>("POST", "/classes", { name, ...roster }),
  showClass: (id: string) => ask<ClassView>("GET", classPath(id)),
  addPupils: (id: string, roster: Roster) => ask<PrintedCards>("POST", `${classPath(id)}/pupils`, roster),
  makeCards: (id: string, pupils: number[] | null) => ask<PrintedCards>("POST", `${classPath(id)}/cards`, { pupils }),
  remove: (id: string, guest: number) => ask<ClassView>("DELETE", `${classPath(id)}/pupils/${guest}`),
  bringBack: (id: string, guest: number) => ask<ClassView>("POST", `${classPath(id)}/pupils/${guest}/back`),
  setRules: (id: string, rules: Rules) => ask<ClassView>("PUT", `${classPath(id)}/rules`, rules),
  lockNicknames: (id: string, locked: boolean) => ask<ClassView>("PUT", `${classPath(id)}/nicknames`, { locked }),
  beginYear: (id: string, name: string) => ask<ClassView>("POST", `${classPath(id)}/years`, { name }),
  setLadder: (id: string, game: string | null) => ask<ClassView>("PUT", `${classPath(id)}/ladder`, { game }),
  merge: (id: string, guest: number, into: number) =>
    ask<ClassView>("POST", `${classPath(id)}/pupils/${guest}/merge`, { into }),
  lobby: () => ask<LobbyView>("GET", "/lobby"),
  challenge: (wish: Wish) => ask<Challenged>("POST", "/challenges", wish),
  accept: (id: string) => ask<Accepted>("POST", `${challengePath(id)}/accept`),
  decline: (id: string) => ask<unknown>("POST", `${challengePath(id)}/decline`),
  withdraw: (id: string) => ask<unknown>("DELETE", challengePath(id)),
  settings: () => ask<SiteSettings>("GET", "/settings"),
  changeSettings: (settings: SiteSettings) => ask<SiteSettings>("PUT", "/settings", settings),
  profile: (guest: number) => ask<Profile>("GET", `/people/${guest}`),
  games: (guest: number, game: string, search: string, skip: number) =>
    ask<ProfileGames>(
      "GET",
      `/people/${guest}/games?${new URLSearchParams({ ...(game ? { game } : {}), search, skip: String(skip) })}`,
    ),
  eraseMe: () => ask<unknown>("DELETE", "/me"),
  beginRound: (id: string, game: string) => ask<ClassView>("POST", `${classPath(id)}/rounds`, { game }),
};

/** A file as the server takes it. */
export async function asBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
