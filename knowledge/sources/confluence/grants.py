"""Who may view a space, as Cloud and Data Center write it."""

from collections.abc import Iterable

from pydantic import AliasChoices, AliasPath, Field

from knowledge.sources.confluence.model import Group, Subjects
from knowledge.sources.confluence.wire import Text, Wire, WireSubjects, WireUser


class PermissionSubject(WireUser):
    """Whom an entry of Data Center names."""

    name: Text = ""

    @property
    def named(self) -> Subjects:
        """Return the one who is named."""
        if self.type == "group" and self.name:
            return Subjects(groups=(Group(self.name, self.name),))
        if self.type == "user" and (self.user_key or self.username):
            return Subjects(users=(self.on_data_center(),))
        return Subjects(is_anyone=self.type == "anonymous")


class Permission(Wire):
    """One entry of a space's permissions: Cloud names subjects, Data Center one subject."""

    operation: Text = Field(
        default="",
        validation_alias=AliasChoices(AliasPath("operation", "operation"), AliasPath("operation", "operationKey")),
    )
    target: Text = Field(default="", validation_alias=AliasPath("operation", "targetType"))
    subjects: WireSubjects | None = None
    subject: PermissionSubject | None = None
    anonymous_access: bool = False

    @property
    def named(self) -> Subjects:
        """Return those whom the entry lets in."""
        found = self.subjects.subjects if self.subjects else Subjects()
        return found | (self.subject.named if self.subject else Subjects()) | Subjects(is_anyone=self.anonymous_access)

    @property
    def lets_view(self) -> bool:
        """Tell whether this is about viewing the space."""
        return self.operation == "read" and self.target == "space"


class V1Space(Wire):
    """A space of the first API."""

    id: str
    key: str
    status: Text = ""
    permissions: tuple[Permission, ...] = ()


def viewers(permissions: Iterable[Permission]) -> Subjects | None:
    """Return those who may view a space; None when nobody is named, which means that we may not see it."""
    found = Subjects()
    for permission in permissions:
        if permission.lets_view:
            found = found | permission.named
    return found or None
