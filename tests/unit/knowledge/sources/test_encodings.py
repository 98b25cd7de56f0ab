"""Which bytes are a text, and what is said when that is not sure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.errors import SourceProblem
from knowledge.sources.encodings import MAX_STRAY_SHARE, decode

RUSSIAN = (
    "# Удалённый доступ\n\nЧтобы подключиться к сети компании, откройте приложение и введите код из письма.\n"
    "Если код не подходит, обратитесь в службу поддержки: она работает круглосуточно.\n"
)
UKRAINIAN = (
    "# Віддалений доступ\n\nЩоб під’єднатися до мережі компанії, відкрийте застосунок і введіть код із листа.\n"
    "Якщо код не підходить, зверніться до служби підтримки: вона працює цілодобово.\n"
)
SPANISH = (
    "# Conexión remota\n\n¿Olvidó la contraseña? La opción está en la página de configuración, en la sección de"
    " sesión. Después podrá elegir más métodos de verificación según la política de la compañía.\n"
)
POLISH = "Zażółć gęślą jaźń. Aby się zalogować, należy podać hasło użytkownika i potwierdzić je kodem. " * 3
GREEK = "Αλλάξτε τον κωδικό πρόσβασης στις ρυθμίσεις της εφαρμογής. " * 5


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("text", ["", "Text.", RUSSIAN, "é€😀"])
def test_unicode_is_read_without_a_word(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))

    assert (decoded.text, decoded.remark) == (text, None)


def test_the_marks_of_both_byte_orders_are_known() -> None:
    assert decode(b"\xfe\xff\x04\x16").text == "Ж"
    assert decode(b"\xff\xfe\x16\x04").text == "Ж"


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8-r", "KOI8-R"),
        (RUSSIAN, "cp866", "IBM866"),
        (RUSSIAN, "iso8859-5", "ISO-8859-5"),
        (UKRAINIAN, "cp1251", "windows-1251"),
        (SPANISH * 2, "latin-1", "windows-1252"),
    ],
)
def test_older_encodings_are_told_by_their_language(text: str, encoding: str, name: str) -> None:
    decoded = decode(text.encode(encoding))

    assert decoded.text == text
    assert decoded.remark == f"read as {name}; save the file as UTF-8 to be sure"


@pytest.mark.parametrize(
    "content",
    [
        b"ok\xff",
        "Русский".encode("cp1251"),
        POLISH.encode("cp1250"),
        GREEK.encode("cp1253"),
        "日本語の文書です。設定を変更してください。".encode("shift_jis"),
        bytes(range(1, 256)) * 20,
        b"\xff\xfea",
        b"\x80" * 1_000,
    ],
)
def test_what_cannot_be_told_is_refused_with_a_remedy(content: bytes) -> None:
    with pytest.raises(SourceProblem, match="save the file as UTF-8"):
        decode(content)


@pytest.mark.parametrize("content", [b"a\0b", "Text".encode("utf-16-le"), "a\0b".encode("utf-16"), b"\0\xff"])
def test_nul_is_no_text(content: bytes) -> None:
    with pytest.raises(SourceProblem, match="NUL"):
        decode(content)


def test_a_few_stray_bytes_are_shown_as_such() -> None:
    text = RUSSIAN * 20

    decoded = decode(text.encode() + b"caf\xe9\n")

    assert decoded.text == text + "caf\ufffd\n"
    assert decoded.remark == "bytes that are not UTF-8 are shown as \ufffd; correct them and save the file as UTF-8"


def test_many_stray_bytes_are_refused() -> None:
    text = (RUSSIAN * 20).encode()

    with pytest.raises(SourceProblem):
        decode(text + b"\xe9 " * int(len(text) * MAX_STRAY_SHARE * 2))


@given(st.binary())
def test_all_bytes_are_a_text_or_a_problem(content: bytes) -> None:
    try:
        text = decode(content).text
    except SourceProblem:
        return

    assert "\0" not in text
    assert "\r" not in text
