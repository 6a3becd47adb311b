// What each game gives to the Python module. A game has a file of its own here, so that games are compiled side by side.
#pragma once

#include <nanobind/nanobind.h>

namespace tabuleiro {

namespace nb = nanobind;

void bind_avanco(nb::module_& module);
void bind_rastros(nb::module_& module);
void bind_hex(nb::module_& module);
void bind_semaforo(nb::module_& module);
void bind_ouri(nb::module_& module);
void bind_konane(nb::module_& module);
void bind_guerreiros(nb::module_& module);
void bind_abalone(nb::module_& module);
/// What table files need, whatever the game.
void bind_tables(nb::module_& module);
/// Self-play of all games, for training nets.
void bind_selfplay(nb::module_& module);

}  // namespace tabuleiro
