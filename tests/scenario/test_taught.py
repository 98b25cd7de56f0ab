"""What a person answers once is known: asked on Telegram, answered and taught on Slack, asked in other languages."""

import time
from pathlib import Path

from bot.core.phrases import phrase
from tests.scenario.takeover_office import ANN, takeover

KNOWN_WITHIN_S = 10.0
USUAL_THRESHOLD = {"ANSWERDESK_ANSWER__THRESHOLD": "0.65"}
MISSING = "Де в офісі зберігають ключ від велопарковки?"
ANSWER = "Ключ від велопарковки лежить у шафці біля рецепції на другому поверсі."
IN_RUSSIAN = "Где в офисе хранится ключ от велопарковки?"
IN_SPANISH = "¿Dónde se guarda en la oficina la llave del aparcamiento de bicicletas?"


def test_what_was_taught_in_ukrainian_is_answered_in_russian_and_spanish(
    tmp_path: Path, embedded_home: Path, database_url: str
) -> None:
    with takeover(tmp_path, embedded_home, database_url, secrets=USUAL_THRESHOLD) as office:
        askers = {
            language: office.asker("telegram", number, language) for number, language in enumerate(("uk", "ru", "es"))
        }
        desk = office.desk("slack", "", MISSING)
        askers["uk"].asks(MISSING)
        office.sees(desk.card)
        desk.presses(ANN, "claim")
        desk.says(ANN, ANSWER)
        office.sees(lambda: ANSWER in askers["uk"].read()[-1])
        desk.presses(ANN, "teach")
        office.sees(lambda: desk.read() and ANSWER in desk.read()[-1])
        desk.presses(ANN, "approve")
        approved_s = time.monotonic()
        office.sees(
            lambda: phrase("entry_approved", "en", entry=1, question="\0").partition("\0")[0] in desk.read()[-1]
        )
        askers["ru"].asks(IN_RUSSIAN)
        askers["es"].asks(IN_SPANISH)
        office.sees(lambda: all(any(ANSWER in text for text in askers[language].read()) for language in ("ru", "es")))
        took_s = time.monotonic() - approved_s

        told = {language: askers[language].read()[-1] for language in ("ru", "es")}
    assert took_s < KNOWN_WITHIN_S
    assert all(ANN in text for text in told.values())
