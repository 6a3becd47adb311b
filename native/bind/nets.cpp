#include "../games/abalone.hpp"
#include "../games/avanco.hpp"
#include "../games/guerreiros.hpp"
#include "../games/hex.hpp"
#include "../games/konane.hpp"
#include "../games/ouri.hpp"
#include "../games/rastros.hpp"
#include "../games/semaforo.hpp"
#include "../search/net_evaluator.hpp"
#include "../selfplay/bind_view.hpp"
#include "register.hpp"

namespace tabuleiro {
namespace {

/// Python's net: a function of rows of planes to logits and values.
AskNet ask_net_of(const nb::callable& net) {
    return [net](NetQuestion& question) {
        nb::gil_scoped_acquire interpreter;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        const std::size_t shape[] = {static_cast<std::size_t>(question.rows), question.planes.size() / question.rows};
        const nb::ndarray<nb::numpy, float, nb::ndim<2>> planes(question.planes.data(), 2, shape, nb::handle());
        const nb::object answer = net(nb::cast(planes, nb::rv_policy::reference));
        Rows<const float> logits;
        Column<const float> values;
        require(nb::isinstance<nb::tuple>(answer) && nb::len(answer) == 2 && nb::try_cast(answer[0], logits) &&
                    nb::try_cast(answer[1], values),
                "a net answers with two arrays of float32: logits and values");
        question.logits.assign(logits.data(), logits.data() + logits.size());
        question.values.assign(values.data(), values.data() + values.size());
    };
}

template <Game G>
void bind_net_of(nb::module_& module) {
    nb::cast<nb::dict>(module.attr("NET_EVALUATORS"))[G::id] = nb::cpp_function(
        [](nb::handle options, const nb::dict& tables, nb::handle symmetries, double temperature, nb::handle remembered,
           const nb::callable& net) -> NetEvaluator* {
            NetSettings settings;
            settings.tables = read_tables(tables);
            for (nb::handle symmetry : nb::iter(symmetries))
                settings.symmetries.push_back(
                    {read_integers<std::int32_t>(symmetry[0]), read_integers<std::int32_t>(symmetry[1])});
            settings.temperature = temperature;
            settings.remembered = read_integer<std::uint32_t>(remembered);
            return new NetEvaluatorOf<G>(rules_of<G>(options), std::move(settings), ask_net_of(net));
        },
        nb::rv_policy::take_ownership);
}

void bind_nets(nb::module_& module) {
    module.attr("NET_EVALUATORS") = nb::dict();
    bind_net_of<Avanco>(module);
    bind_net_of<Rastros>(module);
    bind_net_of<Hex>(module);
    bind_net_of<Semaforo>(module);
    bind_net_of<Ouri>(module);
    bind_net_of<Konane>(module);
    bind_net_of<Guerreiros>(module);
    bind_net_of<Abalone>(module);
}

}  // namespace
}  // namespace tabuleiro

const tabuleiro::Registration nets(tabuleiro::bind_nets);
