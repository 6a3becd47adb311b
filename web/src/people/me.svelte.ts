import { SOCKETS } from "../lib/api";
import { go, route } from "../lib/router.svelte";
import type { ChallengeLine, ClassView, LobbyLine, Me, SignedIn } from "../lib/schema";
import { people } from "./api";

/** Who is signed in in this browser, and the one connection by which the server tells them what concerns them. */

/** Milliseconds between attempts to reach the server, about, so that not all come at once; and between signs of life. */
const PAUSE = 3000;
const HEARTBEAT = 20_000;

export interface LobbyNews {
  /** Everybody, or only who has changed. */
  whole: boolean;
  people: LobbyLine[];
}

type Told =
  | { type: "lobby"; open: boolean; people: LobbyLine[] }
  | { type: "lobby_people"; people: LobbyLine[] }
  | { type: "lobby_anew" }
  | { type: "challenge"; challenge: ChallengeLine }
  | { type: "withdrawn"; challenge: string }
  | { type: "declined"; challenge: string; name: string | null }
  | { type: "game"; session: string; game: string }
  | { type: "class"; class: ClassView }
  | { type: "error"; code: string }
  | { type: "pong" };

class Myself {
  /** Undefined until the server has said it. */
  person = $state.raw<SignedIn | null>();
  toKeep = $state(0);
  /** Games that began for this person while they were in another. */
  waiting = $state.raw<{ session: string; game: string }[]>([]);
  /** What others ask of this person. */
  challenges = $state.raw<ChallengeLine[]>([]);
  /** Who would not play, told until it is closed; and the challenge that is answered by it. */
  declined = $state.raw<{ challenge: string; name: string } | null>(null);
  #lobby: ((news: LobbyNews) => void) | null = null;
  #socket: WebSocket | null = null;
  #follows: { id: string; show: (told: ClassView) => void } | null = null;

  async load(): Promise<void> {
    this.take(await people.me());
  }

  take({ person, to_keep }: Me): void {
    const before = this.person?.guest;
    this.person = person;
    this.toKeep = to_keep;
    if (person?.guest !== before) {
      this.challenges = [];
      this.waiting = [];
      this.#socket?.close();
      this.#socket = null;
    }
    if (person && !this.#socket) this.#connect();
  }

  get isAdult(): boolean {
    return this.person !== null && this.person !== undefined && this.person.role !== "pupil";
  }

  /** Be told how a class stands, now and whenever that changes; call what is returned to stop. */
  follow(id: string, show: (told: ClassView) => void): () => void {
    this.#follows = { id, show };
    this.#say({ type: "follow", class: id });
    return () => {
      this.#follows = null;
      this.#say({ type: "unfollow" });
    };
  }

  /** Be told who is in the lobby, now and whenever that changes; call what is returned to stop. */
  followLobby(show: (news: LobbyNews) => void): () => void {
    this.#lobby = show;
    this.#say({ type: "lobby" });
    return () => {
      this.#lobby = null;
      this.#say({ type: "leave_lobby" });
    };
  }

  /** A challenge was answered, or waits no longer. */
  forget(challenge: string): void {
    this.challenges = this.challenges.filter(({ id }) => id !== challenge);
  }

  #sayWhetherAway = (): void => this.#say({ type: "away", away: document.hidden });

  #say(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect(): void {
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${SOCKETS}/me`);
    this.#socket = socket;
    const heartbeat = setInterval(() => this.#say({ type: "ping" }), HEARTBEAT);
    socket.onopen = () => {
      if (this.#follows) this.#say({ type: "follow", class: this.#follows.id });
      if (this.#lobby) this.#say({ type: "lobby" });
      if (document.hidden) this.#sayWhetherAway();
    };
    document.addEventListener("visibilitychange", this.#sayWhetherAway);
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(String(data)) as Told);
    socket.onclose = ({ code }) => {
      clearInterval(heartbeat);
      document.removeEventListener("visibilitychange", this.#sayWhetherAway);
      if (this.#socket !== socket) return;
      this.#socket = null;
      // Signed out elsewhere, or a new card: ask who we are.
      if (code === 4401) void this.load().catch(() => undefined);
      else setTimeout(() => this.person && !this.#socket && this.#connect(), PAUSE * (0.75 + Math.random() / 2));
    };
  }

  #hear(told: Told): void {
    if (told.type === "class" && told.class.id === this.#follows?.id) this.#follows.show(told.class);
    if (told.type === "lobby" || told.type === "lobby_people") {
      this.#lobby?.({ whole: told.type === "lobby", people: told.people });
    }
    if (told.type === "lobby_anew" && this.#lobby) this.#say({ type: "lobby" });
    if (told.type === "challenge") {
      this.forget(told.challenge.id);
      this.challenges = [...this.challenges, told.challenge];
      setTimeout(() => this.forget(told.challenge.id), told.challenge.seconds * 1000);
    }
    if (told.type === "withdrawn") this.forget(told.challenge);
    if (told.type === "declined") this.declined = { challenge: told.challenge, name: told.name ?? "" };
    if (told.type !== "game") return;
    // Who is in a game is not torn from it.
    if (route.path === `/g/${told.session}`) return;
    const isKnown = this.waiting.some(({ session }) => session === told.session);
    if (isKnown) return;
    if (route.path.startsWith("/g/")) this.waiting = [...this.waiting, { session: told.session, game: told.game }];
    else go(`/g/${told.session}`);
  }
}

export const me = new Myself();
