"""Makes tiny.onnx, the net of the tests: as small as can be, of the form that `training.nets.export` writes, for Hex.

    python tests/data/nets/tiny.py         (needs the package onnx)

It has learnt nothing: its weights are random, so that no two positions or symmetric images are worth the same to it.
"""

from pathlib import Path

import numpy
from onnx import TensorProto, checker, helper, numpy_helper, save

PLANES, CHANNELS = 7, 8


def main() -> None:
    chance = numpy.random.default_rng(1)

    def weights(name: str, *shape: int) -> TensorProto:
        return numpy_helper.from_array(chance.normal(size=shape, scale=0.4).astype(numpy.float32), name)

    node = helper.make_node
    graph = helper.make_graph(
        [
            node("Conv", ["planes", "stem", "stem_bias"], ["seen"], pads=[1, 1, 1, 1], kernel_shape=[3, 3]),
            node("Relu", ["seen"], ["body"]),
            node("Conv", ["body", "cells"], ["logits"], kernel_shape=[1, 1]),
            node("Flatten", ["logits"], ["of_cells"]),
            node("ReduceMean", ["body"], ["mean"], axes=[2, 3], keepdims=0),
            node("MatMul", ["mean", "button"], ["of_button"]),
            node("Concat", ["of_cells", "of_button"], ["policy"], axis=1),
            node("MatMul", ["mean", "worth"], ["worths"]),
            node("Tanh", ["worths"], ["values"]),
            node("Squeeze", ["values", "second"], ["value"]),
        ],
        "tiny",
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["n", PLANES, "height", "width"])],
        [
            helper.make_tensor_value_info("policy", TensorProto.FLOAT, ["n", "indices"]),
            helper.make_tensor_value_info("value", TensorProto.FLOAT, ["n"]),
        ],
        [
            weights("stem", CHANNELS, PLANES, 3, 3),
            weights("stem_bias", CHANNELS),
            weights("cells", 1, CHANNELS, 1, 1),
            weights("button", CHANNELS, 1),
            weights("worth", CHANNELS, 1),
            numpy_helper.from_array(numpy.array([1], numpy.int64), "second"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(model)
    save(model, str(Path(__file__).with_suffix(".onnx")))


if __name__ == "__main__":
    main()
