#include "../solve/bind_tables.hpp"
#include "../solve/checksum.hpp"
#include "register.hpp"

// What table files need, whatever the game.
const tabuleiro::Registration tables([](tabuleiro::nb::module_& module) {
    using namespace tabuleiro;
    module.def(
        "checksum",
        [](const ReadOnlyBytes& content) {
            nb::gil_scoped_release others_may_run;
            return checksum(content.data(), content.size());
        },
        nb::arg("content"), nb::sig("def checksum(content: Buffer) -> int"));
});
