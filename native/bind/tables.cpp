#include "../solve/bind_tables.hpp"
#include "../solve/checksum.hpp"
#include "games.hpp"

void tabuleiro::bind_tables(nb::module_& module) {
    module.def(
        "checksum",
        [](const ReadOnlyBytes& content) {
            nb::gil_scoped_release others_may_run;
            return checksum(content.data(), content.size());
        },
        nb::arg("content"), nb::sig("def checksum(content: Buffer) -> int"));
}
