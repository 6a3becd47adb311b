/**
 * The service worker, on https and on this machine: keeps the client and the rules of the games, so that without a server
 * the rules can be read and everything else says kindly what is missing. Whenever the server answers, its answer is what
 * is shown: a new client is never hidden behind an old one. Of the API nothing is kept but the list of games and their
 * rules, which are the same for everybody; nothing personal ever is.
 */

interface LastingEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}
interface FetchEvent extends LastingEvent {
  request: Request;
  respondWith: (answer: Promise<Response>) => void;
}
interface Worker {
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
}
const worker = self as unknown as Worker;

/** Written by the build: the files of the client, whose names say what is in them. */
const FILES = "__FILES__" as unknown as string[];
const VERSION = "__VERSION__";

const PREFIX = "tabuleiro-";
const KEPT = `${PREFIX}${VERSION}`;
/** The page that shows every page. */
const SHELL = "/";
/** What a proxy says in place of a server that is gone. */
const GONE = [502, 503, 504];
const PUBLIC = /^\/api\/v1\/games(\/[a-z]+\/(rules|mathematics)\/(pt|en))?$/;

async function install(): Promise<void> {
  await (await caches.open(KEPT)).addAll([SHELL, "/icon.svg", ...FILES]);
  await worker.skipWaiting();
}

async function activate(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== KEPT) await caches.delete(name);
  await worker.clients.claim();
}

/** One after the other: the server has others to serve. */
async function keep(addresses: string[]): Promise<void> {
  const kept = await caches.open(KEPT);
  for (const address of addresses) {
    if (PUBLIC.test(address) && !(await kept.match(address))) await kept.add(address);
  }
}

async function fromServerFirst(request: Request, kept: string, isKept: boolean): Promise<Response> {
  const cache = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (GONE.includes(answer.status)) return (await cache.match(kept)) ?? answer;
    if (isKept && answer.ok) await cache.put(kept, answer.clone());
    return answer;
  } catch (error) {
    const found = await cache.match(kept);
    if (found) return found;
    throw error;
  }
}

async function fromKeptFirst(request: Request): Promise<Response> {
  return (await (await caches.open(KEPT)).match(request)) ?? fetch(request);
}

function answer(event: FetchEvent): void {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (PUBLIC.test(pathname)) event.respondWith(fromServerFirst(request, pathname, true));
  else if (/^\/(api|ws|docs)(\/|$)/.test(pathname)) return;
  else if (request.mode === "navigate") event.respondWith(fromServerFirst(request, SHELL, false));
  else if (pathname.startsWith("/assets/") || pathname === "/icon.svg") event.respondWith(fromKeptFirst(request));
}

addEventListener("install", (event) => (event as LastingEvent).waitUntil(install()));
addEventListener("activate", (event) => (event as LastingEvent).waitUntil(activate()));
addEventListener("message", (event) => {
  const addresses: unknown = event.data;
  if (Array.isArray(addresses)) (event as unknown as LastingEvent).waitUntil(keep(addresses.map(String)));
});
addEventListener("fetch", (event) => answer(event as FetchEvent));
