// From Python's objects to tables and back.
#pragma once

#include "../bind.hpp"
#include "progress.hpp"

namespace tabuleiro {

using Bytes = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ReadOnlyBytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Tells a Python function how far work is that runs without the interpreter. What it raises ends the work, as does
/// Ctrl-C.
inline Progress python_progress(const nb::callable& tell) {
    return Progress([&tell](double part) {
        nb::gil_scoped_acquire interpreter;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        tell(part);
    });
}

}  // namespace tabuleiro
