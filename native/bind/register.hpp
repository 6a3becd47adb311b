// How a file of this folder enters what it has in the Python module: by defining a `Registration`. A game has a file of
// its own, so that games are compiled side by side, and no list of games has to be kept.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

namespace tabuleiro {

namespace nb = nanobind;

/// A function that adds to the module. The object must live as long as the program, at the level of a file.
class Registration {
   public:
    using Function = void (*)(nb::module_&);

    explicit Registration(Function function) { functions().push_back(function); }

    static void run_all(nb::module_& module) {
        for (Function function : functions()) function(module);
    }

   private:
    static std::vector<Function>& functions() {
        static std::vector<Function> all;
        return all;
    }
};

}  // namespace tabuleiro
