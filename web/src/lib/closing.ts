import type { Attachment } from "svelte/attachments";

/** For an element with a button that opens something: calls `close` on a touch elsewhere, and on Escape, which also
 * gives the focus back to the button. */
export function closing(close: () => void): Attachment<HTMLElement> {
  return (root) => {
    function away(event: Event): void {
      if (event.target instanceof Node && !root.contains(event.target)) close();
    }
    function key(event: KeyboardEvent): void {
      if (event.key !== "Escape" || !root.querySelector('button[aria-expanded="true"]')) return;
      close();
      root.querySelector("button")?.focus();
    }
    addEventListener("pointerdown", away);
    addEventListener("keydown", key);
    return () => {
      removeEventListener("pointerdown", away);
      removeEventListener("keydown", key);
    };
  };
}
