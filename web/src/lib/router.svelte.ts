import type { Message } from "./catalogue";

/** The address bar: which page is shown, and what is said above it until the next one is. */

interface Route {
  path: string;
  notice: Message | null;
  /** The server has a newer client than this: the next page is loaded from it. */
  isOutdated: boolean;
}

export const route = $state<Route>({ path: location.pathname, notice: null, isOutdated: false });

export function go(path: string, replace = false): void {
  if (route.isOutdated) {
    location.assign(path);
    return;
  }
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  show();
  scrollTo(0, 0);
}

function show(): void {
  route.path = location.pathname;
  route.notice = null;
}

addEventListener("popstate", show);

/** Links within the site change the page without loading it again. */
addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link?.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if ((link.hash && link.pathname === location.pathname) || /^\/(api|ws|docs)\//.test(link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.hash);
});
