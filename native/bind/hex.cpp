#include "../eval/hex.hpp"
#include "../search/bind_search.hpp"
#include "games.hpp"

void tabuleiro::bind_hex(nb::module_& module) {
    bind_game<Hex>(module, "Hex");
    bind_search_of<HexEvaluator>(module);
}
