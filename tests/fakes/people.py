"""What people told the bot of themselves, in memory."""

from bot.core.incoming import Place


class FakePeople:
    """Remembers languages and addresses."""

    def __init__(self) -> None:
        self.languages: dict[str, str | None] = {}
        self.emails: dict[str, str] = {}

    async def language(self, place: Place, author: str) -> str | None:
        return self.languages.get(author)

    async def speak(self, place: Place, author: str, language: str | None) -> None:
        self.languages[author] = language

    async def email(self, place: Place, author: str) -> str | None:
        return self.emails.get(author)
