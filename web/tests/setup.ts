import { vi } from "vitest";

// The settings look at the browser when they are read.
vi.stubGlobal("navigator", { languages: ["en"] });
vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn() }));
vi.stubGlobal("document", { documentElement: { dataset: {} } });
