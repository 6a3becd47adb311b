import type { Text } from "../lib/types";

/** The sentences of the opening explorer. */
export const OPENING_WORDS = {
  explorer: { pt: "Explorador de aberturas", en: "Opening explorer" },
  explorer_of: { pt: "Aberturas de {game}", en: "Openings of {game}" },
  lead: {
    pt: "Como começaram as partidas acabadas aqui, como começam os níveis fortes do computador, e o que está provado. Escolhe uma jogada na lista ou no tabuleiro.",
    en: "How finished games began here, how strong levels of the computer begin, and what is proven. Choose a move in the list or on the board.",
  },
  pick: { pt: "Escolhe um jogo", en: "Choose a game" },
  moves_here: { pt: "Jogadas desta posição", en: "Moves of this position" },
  played: { pt: "Jogadas aqui", en: "Played here" },
  engines: { pt: "Níveis 8 e 9 do computador", en: "Levels 8 and 9 of the computer" },
  games: { pt: "{count} partidas", en: "{count} games" },
  games_one: { pt: "1 partida", en: "1 game" },
  draws: { pt: "Empates", en: "Draws" },
  won_by: { pt: "{player}: {percent} %", en: "{player}: {percent}%" },
  nothing: {
    pt: "Desta posição não há partidas que cheguem. Faz outra jogada no tabuleiro, ou volta atrás.",
    en: "There are not enough games of this position. Make another move on the board, or go back.",
  },
  varied: {
    pt: "Nas partidas do computador as primeiras jogadas variam de propósito: olha para quem ganha, não para quantas são.",
    en: "In the computer’s games the first moves vary on purpose: look at who wins, not at how many there are.",
  },
  all_ways: { pt: "Contam todas as ordens de jogadas que levam a esta posição.", en: "Every order of moves that leads to this position counts." },
  analyse_here: { pt: "Analisar esta posição", en: "Analyse this position" },
  so_far: { pt: "Até aqui: {moves}", en: "So far: {moves}" },
  proven_value: { pt: "provado: {value}", en: "proven: {value}" },
} satisfies Record<string, Text>;
