import { API, api } from "./api";
import { route } from "./router.svelte";
import { settings } from "./settings.svelte";

/** The service worker (`worker.ts`), where browsers allow one: on https and on this machine, not on a plain LAN. */

/** Milliseconds after which a page that has come is left alone enough to fetch what may be read later. */
const QUIET = 3000;

async function keepRules(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  const games = await api.games();
  active?.postMessage([`${API}/games`, ...games.map(({ id }) => `${API}/games/${id}/rules/${settings.language}`)]);
}

function begin(): void {
  const isFirst = navigator.serviceWorker.controller === null;
  // A new worker means a new client: the next page is loaded anew. The first one is as new as this page.
  if (!isFirst) navigator.serviceWorker.addEventListener("controllerchange", () => (route.isOutdated = true));
  navigator.serviceWorker.register("/worker.js").then(
    () => setTimeout(() => void keepRules().catch(() => undefined), QUIET),
    () => {
      // Without one everything works but the reading without a server.
    },
  );
}

export function workOffline(): void {
  if ("serviceWorker" in navigator && self === top && import.meta.env.PROD) addEventListener("load", begin);
}
