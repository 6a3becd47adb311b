import { fill, numberText } from "./format";
import { MESSAGES, type Message } from "./catalogue";
import type { Language, Text } from "./types";

/** What a person chose, kept in the browser: language, colours, sounds, speed and the like. */

type Theme = "auto" | "light" | "dark";
type Speed = "slow" | "normal" | "fast";

function stored(name: string, choices: string[], otherwise: string): string {
  try {
    const value = localStorage.getItem(`tabuleiro.${name}`);
    return value !== null && choices.includes(value) ? value : otherwise;
  } catch {
    return otherwise;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`tabuleiro.${name}`, value);
  } catch {
    // A browser that keeps nothing still plays.
  }
}

// The first language asked for that we speak. Whoever asks for none of them (Spanish, French) gets English, knowingly:
// more of them read it.
const portuguese = navigator.languages.find((language) => /^(pt|en)\b/i.test(language))?.toLowerCase().startsWith("pt");

class Settings {
  language = $state(stored("language", ["pt", "en"], portuguese ? "pt" : "en") as Language);
  theme = $state(stored("theme", ["auto", "light", "dark"], "auto") as Theme);
  sounds = $state(stored("sounds", ["on", "off"], "on") === "on");
  coordinates = $state(stored("coordinates", ["on", "off"], "on") === "on");
  pace = $state(stored("pace", ["slow", "normal", "fast"], "normal") as Speed);
  /** Somebody who plays for the first time is shown what can be done. */
  guide = $state(stored("guide", ["on", "off"], "on") === "on");
  /** Moves may be planned while the other side thinks. */
  premove = $state(stored("premove", ["on", "off"], "off") === "on");

  constructor() {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    let deviceIsDark = $state(dark.matches);
    dark.addEventListener("change", () => (deviceIsDark = dark.matches));
    $effect.root(() => {
      $effect(() => {
        document.documentElement.lang = this.language === "pt" ? "pt-PT" : "en";
        keep("language", this.language);
      });
      $effect(() => {
        const isDark = this.theme === "dark" || (this.theme === "auto" && deviceIsDark);
        document.documentElement.dataset.theme = isDark ? "dark" : "light";
        keep("theme", this.theme);
      });
      $effect(() => keep("sounds", this.sounds ? "on" : "off"));
      $effect(() => keep("coordinates", this.coordinates ? "on" : "off"));
      $effect(() => keep("pace", this.pace));
      $effect(() => keep("guide", this.guide ? "on" : "off"));
      $effect(() => keep("premove", this.premove ? "on" : "off"));
    });
  }
}

export const settings = new Settings();

/** A message of the catalogue in the chosen language. */
export function t(message: Message, values: Record<string, string | number> = {}): string {
  return fill(MESSAGES[message][settings.language], values);
}

/** A message about a number of things, written as the language writes numbers; one thing has a message of its own, whose
 * name ends with `_one`. */
export function counted(message: Message, count: number): string {
  const one = `${message}_one`;
  return count === 1 && isMessage(one) ? t(one) : t(message, { count: numberText(count, settings.language) });
}

/** A text from the server in the chosen language. */
export function say(text: Text): string {
  return text[settings.language];
}

/** A move as the language calls it: records write a few of them by an English word. */
export function moveText(move: string): string {
  const key = `record_${move}`;
  return isMessage(key) ? t(key) : move;
}

export function isMessage(name: string): name is Message {
  return name in MESSAGES;
}
