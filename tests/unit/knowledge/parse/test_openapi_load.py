"""YAML and JSON become plain values, scalars as they are written."""

import pytest

from knowledge.parse.openapi.load import MAX_DEPTH, Unreadable, load
from knowledge.parse.openapi.values import Value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1.10", {"a": "1.10"}),
        ('{"a": 1.10, "b": NaN}', {"a": "1.10", "b": "NaN"}),
        ("a: 2020-01-02", {"a": "2020-01-02"}),
        ("on: yes", {"on": "yes"}),
        ("a: [true, False, null, ~, 12, 012, 'true']", {"a": [True, False, None, None, 12, "012", "true"]}),
        ("200: x\ntrue: y\n", {"200": "x", "true": "y"}),
        ("? [a, b]\n: c\nd: e\n", {"d": "e"}),
        ("a: &x {b: 1}\nc: {<<: *x, d: 2}\ne: {<<: [*x, {b: 3, f: 4}], b: 5}\n",
         {"a": {"b": 1}, "c": {"b": 1, "d": 2}, "e": {"b": 5, "f": 4}}),
        ("'<<': x", {"<<": "x"}),
        ("{'a': 1, }", {"a": 1}),
        ("a: 1\n---\nb: 2\n", {"a": 1}),
        ("\ufeffa: b\0c", {"a": "b c"}),
        ('{"a": ' + "9" * 5000 + "}", {"a": "9" * 5000}),
        ("", None),
    ],
)  # fmt: skip
def test_values_are_read_as_they_are_written(text: str, expected: Value) -> None:
    assert load(text).value == expected


def test_an_alias_is_the_value_itself() -> None:
    value = load("a: &a [1]\nb: *a\nc: &c [*c]\n").value

    assert isinstance(value, dict)
    assert value["a"] is value["b"]
    assert isinstance(value["c"], list)
    assert value["c"][0] is value["c"]


@pytest.mark.parametrize("text", ["a: 1\nb: 2\na: 3\n", '{"a": 1, "a": 3}'])
def test_keys_that_stand_twice_are_reported(text: str) -> None:
    loaded = load(text)

    assert isinstance(loaded.value, dict)
    assert loaded.value["a"] == 3
    assert "'a'" in loaded.problems[0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: 1\nb: [1,\nc: 2\n", "line 4"),
        ("a:\n\tb: 1\n", "line 2"),
        ("a: b: c", "line 1"),
        ("[" * 10_000, "line 1: .*nest"),
        ('{"a":' * 10_000, "line 1: .*nest"),
        ("a: " + "[" * MAX_DEPTH + "]" * MAX_DEPTH, f"nested more than {MAX_DEPTH} deep"),
    ],
)
def test_what_cannot_be_read_says_where_and_why(text: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        load(text)


def test_merge_keys_copy_no_more_than_allowed() -> None:
    base = "a: &a {" + ", ".join(f"k{number}: 1" for number in range(1000)) + "}\n"
    text = base + "".join(f"b{number}: {{<<: *a}}\n" for number in range(1000))

    with pytest.raises(Unreadable, match="merge keys"):
        load(text)
