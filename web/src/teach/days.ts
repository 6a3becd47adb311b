import { settings } from "../lib/settings.svelte";

/** A day that the server writes as `2026-11-30`, as people write it. */
export function day(written: string): string {
  const [year, month, date] = written.split("-").map(Number);
  return new Date(year!, month! - 1, date).toLocaleDateString(settings.language === "pt" ? "pt-PT" : "en-GB");
}
