// Search without a server: every part of every page whose words begin with all the words that were typed, accents aside.
"use strict";
(() => {
  const up = document.currentScript.dataset.up;
  const field = document.getElementById("search");
  const found = document.getElementById("found");
  const portuguese = document.documentElement.lang.startsWith("pt");
  const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  let parts = null;

  function load() {
    if (parts) return;
    parts = [];
    const index = document.createElement("script");
    index.src = `${up}/search-index.js`;
    index.onload = () => {
      parts = window.documentation.map((part) => ({
        ...part,
        head: ` ${plain(`${part.page} ${part.heading}`)}`,
        all: ` ${plain(`${part.page} ${part.heading} ${part.words}`)}`.replace(/[^\p{L}\p{N}_]+/gu, " "),
      }));
      show();
    };
    document.head.append(index);
  }

  function show() {
    const words = plain(field.value).split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
    found.replaceChildren();
    found.hidden = !words.length;
    if (!words.length) return;
    const hits = parts
      .filter(({ all }) => words.every((word) => all.includes(` ${word}`)))
      .map((part) => ({ part, weight: words.filter((word) => part.head.includes(word)).length }))
      .sort((one, two) => two.weight - one.weight)
      .slice(0, 20);
    const title = document.createElement("p");
    title.textContent = hits.length
      ? portuguese ? `Encontrado: ${hits.length}` : `Found: ${hits.length}`
      : portuguese ? "Nada encontrado." : "Nothing found.";
    const list = document.createElement("ol");
    for (const { part } of hits) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = `${up}/${part.address}`;
      link.textContent = part.heading === part.page ? part.page : `${part.page}: ${part.heading}`;
      const words = document.createElement("small");
      words.textContent = part.words.slice(0, 140);
      item.append(link, words);
      list.append(item);
    }
    found.append(title, list);
  }

  field.addEventListener("focus", load);
  field.addEventListener("input", () => (load(), show()));
  field.form.addEventListener("submit", (event) => event.preventDefault());
})();
