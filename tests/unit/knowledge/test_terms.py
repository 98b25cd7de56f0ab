"""Which texts share terms, and which terms weigh more."""

import subprocess
import sys

import pytest

from knowledge.terms import CODE_WEIGHT, index_terms, question_terms
from tests.fakes.odd_texts import odd_texts


def shared(question: str, text: str, language: str) -> int:
    return len(question_terms(question, language).keys() & index_terms(text, language).keys())


@pytest.mark.parametrize(
    ("language", "question", "text"),
    [
        ("en", "configuring", "configured"),
        ("ru", "паролями", "пароля"),
        ("ru", "еще", "ещё"),
        ("ru", "еще", "еще\u0308"),
        ("ru", "deploying", "deploy"),
        ("uk", "налаштувати", "налаштування"),
        ("uk", "п'ять", "пʼять"),
        ("uk", "п’ять", "п'ять"),
        ("es", "configuracion", "configuración"),
        ("es", "CONTRASEÑAS", "contraseña"),
        ("de", "STRASSE", "Straße"),
        ("en", "cooperate", "coop\u00aderate"),
        ("zh", "密码", "重置密码的方法"),
        ("ja", "設定", "設定する"),
        ("ko", "비밀번호", "비밀번호를"),
        ("xx", "налаштув", "налаштовано"),
    ],
)
def test_forms_of_a_word_share_a_term(language: str, question: str, text: str) -> None:
    assert shared(question, text, language) >= 1


@pytest.mark.parametrize(("one", "other"), [("кой", "кои"), ("їжа", "іжа"), ("мой", "мои")])
def test_letters_with_marks_of_their_own_stay_apart(one: str, other: str) -> None:
    assert shared(one, other, "uk") == 0


@pytest.mark.parametrize("code", ["KL-1042", "v2.3.1", "allow_origins", "10.0.0.1", "E_42", "kl\u20111042"])
@pytest.mark.parametrize("around", ["({})", "{}.", "the {}, please", "错误{}出现"])
def test_a_code_is_found_whole_and_by_its_parts(code: str, around: str) -> None:
    indexed = index_terms(around.format(code), "en").keys()

    assert question_terms(code, "en").keys() <= indexed
    assert question_terms(code.casefold(), "en").keys() <= indexed


@pytest.mark.parametrize(
    ("code", "weights"),
    [
        ("KL-1042", [1.0, CODE_WEIGHT, CODE_WEIGHT]),
        ("v2.3.1", [CODE_WEIGHT] * 4),
        ("allow_origins", [1.0, 1.0, CODE_WEIGHT]),
        ("8080", [CODE_WEIGHT]),
        ("well-known", [1.0, 1.0]),
    ],
)
def test_numbers_and_whole_codes_weigh_double(code: str, weights: list[float]) -> None:
    assert sorted(question_terms(code, "en").values()) == weights


def test_a_word_weighs_once_however_often_it_is_asked() -> None:
    assert list(question_terms("reset reset resets", "en").values()) == [1.0]


def test_a_text_counts_each_occurrence() -> None:
    assert sorted(index_terms("reset the reset", "en").values()) == [1, 2]


def test_terms_are_the_same_in_every_process() -> None:
    text = "Пароль KL-1042 重置 naïve"
    script = f"from knowledge.terms import index_terms; print(sorted(index_terms({text!r}, 'ru').items()))"

    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7"}
    )

    assert told.stdout.strip() == str(sorted(index_terms(text, "ru").items()))


@pytest.mark.parametrize("language", ["en", "ru", "uk", "zh", "", "no such"])
def test_any_text_has_terms_that_the_index_can_hold(language: str) -> None:
    for text in odd_texts():
        assert all(-(2**63) <= term < 2**63 for term in index_terms(text, language)), text
