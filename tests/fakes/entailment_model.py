"""A model that judges entailment, small enough to be written by a test, and whose every number numpy knows."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit
from tokenizers.processors import TemplateProcessing

THREE = ("entailment", "neutral", "contradiction")
WORDS = ("[UNK]", "[CLS]", "[SEP]", "slow", "the", "port", "is", "not", "порт", "відкритий", "puerto", "443")
SLOW = WORDS.index("slow")
POSITIONS = 64
ENDLESS = 10**12


@dataclass(frozen=True)
class TinyModel:
    """A model that weighs each token by its word, its place and which of both texts it stands in."""

    labels: tuple[str, ...] = THREE
    inputs: tuple[str, ...] = ("input_ids", "attention_mask", "token_type_ids")
    outputs: int = 3
    scale: float = 0.3

    @property
    def words(self) -> NDArray[np.float32]:
        return self._numbers(len(WORDS), seed=1)

    @property
    def places(self) -> NDArray[np.float32]:
        return self._numbers(POSITIONS, seed=2)

    def _numbers(self, rows: int, seed: int) -> NDArray[np.float32]:
        return (np.random.default_rng(seed).normal(size=(rows, self.outputs)) * self.scale).astype(np.float32)

    def probability(self, premise: Sequence[str], hypothesis: Sequence[str]) -> float:
        """Return what the model must say, from the tokens that it must read."""
        tokens = ["[CLS]", *premise, "[SEP]", *hypothesis, "[SEP]"]
        ids = [WORDS.index(token) if token in WORDS else 0 for token in tokens]
        types = np.array([0] * (len(premise) + 2) + [1] * (len(hypothesis) + 1))
        weights = 1.0 + types * ("token_type_ids" in self.inputs)
        logits = ((self.words[ids] + self.places[: len(ids)]) * weights[:, None]).sum(axis=0)
        likelihoods = np.exp(logits.astype(np.float64))
        return float(likelihoods[[label.lower() for label in self.labels].index("entailment")] / likelihoods.sum())

    def write(self, folder: Path, model: str = "model.onnx") -> Path:
        (folder / model).parent.mkdir(parents=True, exist_ok=True)
        onnx.save(self.graph(), folder / model)
        tiny_tokenizer(pair="[CLS] $A [SEP] $B:1 [SEP]:1").save(str(folder / "tokenizer.json"))
        config = {"model_type": "tiny", "id2label": {str(at): label for at, label in enumerate(self.labels)}}
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        return folder

    def graph(self) -> onnx.ModelProto:
        numbers = {"words": self.words, "places": self.places, "one": np.float32(1), "last": np.array([-1])}
        numbers |= {"slow": np.int64(SLOW), "endless": np.int64(ENDLESS), "go": np.bool_(True), "first": np.int64(1)}
        numbers |= {"tokens": np.array([1]), "nothing": np.zeros(self.outputs, np.float32)}
        node = helper.make_node
        weight = "token_type_ids" if "token_type_ids" in self.inputs else "no_types"
        nodes = [
            node("Sub", ["input_ids", "input_ids"], ["no_types"]),
            node("Cast", [weight], ["types"], to=TensorProto.FLOAT),
            node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
            node("Add", ["types", "one"], ["by_type"]),
            node("Mul", ["by_type", "mask"], ["by_token"]),
            node("Unsqueeze", ["by_token", "last"], ["weights"]),
            node("Gather", ["words", "input_ids"], ["word"]),
            node("CumSum", ["attention_mask", "first"], ["counted"]),
            node("Sub", ["counted", "first"], ["position"]),
            node("Gather", ["places", "position"], ["place"]),
            node("Add", ["word", "place"], ["embedded"]),
            node("Mul", ["embedded", "weights"], ["weighed"]),
            node("ReduceSum", ["weighed", "tokens"], ["sum"], keepdims=0),
            node("Equal", ["input_ids", "slow"], ["is_slow"]),
            node("Cast", ["is_slow"], ["slow_ones"], to=TensorProto.INT64),
            node("ReduceMax", ["slow_ones"], ["any_slow"], keepdims=0),
            node("Mul", ["any_slow", "endless"], ["rounds"]),
            node("Loop", ["rounds", "go", "nothing"], ["waited"], body=self._round()),
            node("Add", ["sum", "waited"], ["logits"]),
        ]
        read = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in self.inputs]
        logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", self.outputs])
        fixed = [numpy_helper.from_array(np.asarray(value), name) for name, value in numbers.items()]
        graph = helper.make_graph(nodes, "tiny", read, [logits], fixed)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)

    def _round(self) -> onnx.GraphProto:
        """Return one of the rounds that a "slow" token makes the model go."""
        value = helper.make_tensor_value_info
        state = [self.outputs]
        nodes = [
            helper.make_node("Identity", ["on"], ["still_on"]),
            helper.make_node("Mul", ["state", "state"], ["next"]),
        ]
        given = [value("round", TensorProto.INT64, []), value("on", TensorProto.BOOL, [])]
        given.append(value("state", TensorProto.FLOAT, state))
        return helper.make_graph(
            nodes, "round", given, [value("still_on", TensorProto.BOOL, []), value("next", TensorProto.FLOAT, state)]
        )


def tiny_tokenizer(pair: str) -> Tokenizer:
    made = Tokenizer(WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.pre_tokenizer = WhitespaceSplit()
    marks = [(mark, WORDS.index(mark)) for mark in ("[CLS]", "[SEP]")]
    made.post_processor = TemplateProcessing(single="$A", pair=pair, special_tokens=marks)
    # Exports often bring a padding of their own, which would only cost time here.
    made.enable_padding(length=POSITIONS)
    return made
