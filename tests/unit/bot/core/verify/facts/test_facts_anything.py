"""Whatever the text is, its facts are read, in time that grows with its length, and found in the text itself."""

import random
import time

import pytest

from bot.core.verify.facts.check import missing_facts

CHARACTERS = "0123456789.,:/-–—'’`«»\"()[]% €$°½²\n\tabcXIVіїТЯ日天٣@_~\\=+&#shpm\u202f\u00a0\u0301\ud800"
WORDS = (
    *("two", "hundred", "and", "five", "three", "days", "half", "an", "hour", "million", "first", "с", "половиной"),
    *("три", "тысячи", "часа", "dos", "mil", "y", "media", "п'ять", "March", "5", "марта", "de", "2024", "3", "pm"),
    *("утра", "XIV", "in", "per", "c.", "1st", "20-30", "2024-13-45", "99:99", "31.02", "1e9", "--a", "/b", "http://x"),
)
LANGUAGES = ("en", "ru", "uk", "es", "de", "zh", "tr", "", "pt-BR")
LONG = 100_000
# Half a minute on the slowest machine that runs this; a quadratic rule takes hours.
DEADLINE_S = 30.0


@pytest.mark.parametrize("seed", range(20))
def test_any_text_bears_out_itself(seed: int) -> None:
    chance = random.Random(seed)

    for _ in range(50):
        language = chance.choice(LANGUAGES)
        noise = "".join(chance.choices(CHARACTERS, k=chance.randrange(60)))
        words = " ".join(chance.choices(WORDS, k=chance.randrange(15)))

        assert missing_facts(noise, language, [(noise, language)]) == ()
        assert missing_facts(words, language, [(words, language), (noise, "en")]) == ()


@pytest.mark.parametrize(
    "unit", ["1", "1,", "1 ", "A", "A.", "A ", "two hundred ", "March 5, ", "http://(", "`", "«", "a@"]
)
def test_a_long_text_takes_time_in_proportion(unit: str) -> None:
    text = unit * (LONG // len(unit))
    started = time.process_time()

    missing_facts(text, "en", [(text, "ru"), ("x", "en")])

    assert time.process_time() - started < DEADLINE_S
