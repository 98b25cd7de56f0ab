"""Signs what is posted and knows what was signed: Standard Webhooks, symmetric signatures (standardwebhooks.com)."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from standardwebhooks import Webhook, WebhookVerificationError

ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
# More signatures than secrets that anybody changes between are no work for us.
MAX_SIGNATURE_CHARACTERS = 1_000
_ID = re.compile(r"[!-~]{1,200}")


class Signer:
    """Signs with the first secret, and believes each of them."""

    def __init__(self, secrets: Sequence[str]) -> None:
        self._webhooks = tuple(map(Webhook, secrets))

    def headers(self, name: str, body: str, *, now: datetime) -> dict[str, str]:
        """Return the headers of a body that is sent at `now` (UTC); `name` is the same whenever it is sent again."""
        signature = self._webhooks[0].sign(name, now, body)
        return {ID: name, TIMESTAMP: str(int(now.timestamp())), SIGNATURE: signature}

    def name(self, headers: Mapping[str, str], body: str) -> str | None:
        """Return what a body is called that was signed within the last minutes; None for one that was not."""
        named = headers.get(ID, "")
        signature = headers.get(SIGNATURE, "")
        if not _ID.fullmatch(named) or len(signature) > MAX_SIGNATURE_CHARACTERS or not signature.isascii():
            return None
        given = {ID: named, TIMESTAMP: headers.get(TIMESTAMP, ""), SIGNATURE: signature}
        return named if any(_is_signed(webhook, given, body) for webhook in self._webhooks) else None


def _is_signed(webhook: Webhook, headers: dict[str, str], body: str) -> bool:
    try:
        webhook.verify(body, headers, json_parse=False)
    except (WebhookVerificationError, ValueError):
        # What is no list of signatures, or no base64, it raises ValueError over.
        return False
    return True
