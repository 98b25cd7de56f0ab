"""The site's JSON, as far as we read it; both versions of the API, Cloud and Data Center."""

from datetime import datetime
from typing import Annotated, Generic, TypeVar

from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from knowledge.sources.confluence.model import (
    Above,
    Account,
    Attachment,
    Body,
    Comment,
    Facts,
    Group,
    NotUnderstood,
    Page,
    Subjects,
)
from knowledge.types import compared_address

T = TypeVar("T")


def _none_is_empty(value: object) -> object:
    return "" if value is None else value


# Ids are numbers in some answers and text in others; hidden values are "", null or left out.
Text = Annotated[str, BeforeValidator(_none_is_empty)]


class Wire(BaseModel):
    """Base of all shapes: what we do not know is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True, alias_generator=to_camel)


def understood(shape: type[T], answer: object, call: str) -> T:
    """Return an answer in a shape; raise NotUnderstood naming the call and the place."""
    try:
        return TypeAdapter(shape).validate_python(answer)
    except ValidationError as exc:
        error = exc.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, error["loc"])) or "answer"
        raise NotUnderstood(f"{call}: the answer is not understood ({place}: {error['msg'].lower()})") from exc


def present(text: str | None, content: str) -> str:
    """Return a body that may be empty; raise NotUnderstood for one that did not come at all."""
    if text is None:
        raise NotUnderstood(f"content {content}: the answer holds no body")
    return text


class Listed(Wire):
    """One page of any list."""

    results: list[object]
    next: str | None = Field(default=None, validation_alias=AliasPath("_links", "next"))


class WireUser(Wire):
    """A user: Cloud has `accountId`, Data Center `userKey` and `username`."""

    type: Text = ""
    account_id: Text = ""
    user_key: Text = ""
    username: Text = ""
    display_name: Text = ""
    email: Text = ""
    account_type: str | None = None
    account_status: str | None = None
    is_external_collaborator: bool | None = None
    status: str | None = None

    def on_cloud(self) -> Account:
        """Return the account; guests count as what they are outside: strangers."""
        is_person = None
        if self.account_type is not None and self.account_status is not None:
            is_person = self.account_type == "atlassian" and self.account_status == "active"
        if self.is_external_collaborator or self.type == "unknown":
            is_person = False
        return Account(self.account_id, self.display_name, email=compared_address(self.email), is_person=is_person)

    def on_data_center(self) -> Account:
        """Return the account; where only its key is told, it must still be looked up."""
        is_person = None if not self.username else self.type != "unknown" and self.status in {None, "current"}
        return Account(self.user_key or self.username, self.display_name, username=self.username, is_person=is_person)

    @property
    def account(self) -> Account:
        """Return the account, wherever it comes from."""
        return self.on_cloud() if self.account_id else self.on_data_center()


class WireGroup(Wire):
    """A group."""

    id: Text = ""
    name: Text = ""

    @property
    def group(self) -> Group:
        """Return the group under its id, or its name where it has none."""
        return Group(self.id or self.name, self.name)


class Cut(Wire, Generic[T]):
    """The users or groups of a restriction, perhaps not all of them."""

    results: list[T]
    limit: int | None = None
    size: int | None = None

    @property
    def is_full(self) -> bool:
        """Tell whether more may follow."""
        return bool(self.results) and (self.limit is None or len(self.results) >= self.limit)


class WireSubjects(Wire):
    """The users and groups of a restriction; what was not expanded is not there."""

    user: Cut[WireUser] | None = None
    group: Cut[WireGroup] | None = None

    @property
    def subjects(self) -> Subjects:
        """Return those who are named here."""
        users = tuple(user.account for user in self.user.results) if self.user else ()
        groups = tuple(group.group for group in self.group.results) if self.group else ()
        return Subjects(users, groups)

    @property
    def is_expanded(self) -> bool:
        """Tell whether both kinds are told: a kind that is left out is not the same as nobody."""
        return self.user is not None and self.group is not None

    @property
    def step(self) -> int:
        """Return how many of each kind to skip for the next ones; 0 when there are no more."""
        full = [len(cut.results) for cut in (self.user, self.group) if cut and cut.is_full]
        return min(full, default=0)


class WireRestriction(Wire):
    """A view restriction."""

    restrictions: WireSubjects = WireSubjects()


class V2Space(Wire):
    """A space of Cloud."""

    id: str
    key: str
    status: Text = ""


class V2Item(Wire):
    """A page of Cloud, or what may stand above one."""

    id: str
    title: Text = ""
    status: Text = ""
    space_id: Text = ""
    parent_id: str | None = None
    parent_type: str | None = None
    version: int = Field(validation_alias=AliasPath("version", "number"))
    author_id: Text = Field(default="", validation_alias=AliasPath("version", "authorId"))
    updated_at: datetime | None = Field(default=None, validation_alias=AliasPath("version", "createdAt"))
    storage: str | None = Field(default=None, validation_alias=AliasPath("body", "storage", "value"))
    view: str | None = Field(default=None, validation_alias=AliasPath("body", "view", "value"))
    labels: list["V1Label"] = Field(default=[], validation_alias=AliasPath("labels", "results"))

    @property
    def above(self) -> Above | None:
        """Return what it stands below."""
        return Above(self.parent_id, self.parent_type or "page") if self.parent_id else None

    def page(self, space: str) -> Page:
        """Return the page, in the space of that key."""
        return Page(self.id, self.title, space, self.above, self.version, self.author_id)

    @property
    def body(self) -> Body:
        """Return the body that was asked for; only the author's id is told."""
        text = self.storage if self.storage is not None else self.view
        return Body(self.title, self.version, present(text, self.id), None, self.updated_at)


class V2Attachment(Wire):
    """A file of Cloud."""

    id: str
    title: Text = ""
    status: Text = ""
    page_id: Text = ""
    version: int = Field(validation_alias=AliasPath("version", "number"))
    updated_at: datetime | None = Field(default=None, validation_alias=AliasPath("version", "createdAt"))
    file_size: int | None = None
    download_link: Text = ""

    @property
    def attachment(self) -> Attachment:
        """Return the file; its author's name is not told."""
        about = (None, self.updated_at)
        return Attachment(self.id, self.title, self.page_id, self.version, self.file_size, self.download_link, *about)


class V1Label(Wire):
    """A label."""

    name: str


class V1Ref(Wire):
    """A content that is only named."""

    id: str


class V1Content(Wire):
    """A page, attachment or comment of the first API."""

    id: str
    type: Text = ""
    title: Text = ""
    status: Text = ""
    space: Text = Field(default="", validation_alias=AliasPath("space", "key"))
    ancestors: list[V1Ref] = []
    container: Text = Field(default="", validation_alias=AliasPath("container", "id"))
    version: int = Field(default=0, validation_alias=AliasPath("version", "number"))
    author: str | None = Field(default=None, validation_alias=AliasPath("version", "by", "displayName"))
    updated_at: datetime | None = Field(default=None, validation_alias=AliasPath("version", "when"))
    labels: list[V1Label] = Field(default=[], validation_alias=AliasPath("metadata", "labels", "results"))
    read: WireRestriction | None = Field(default=None, validation_alias=AliasPath("restrictions", "read"))
    size: int | None = Field(default=None, validation_alias=AliasPath("extensions", "fileSize"))
    resolution: str | None = Field(default=None, validation_alias=AliasPath("extensions", "resolution", "status"))
    download: Text = Field(default="", validation_alias=AliasPath("_links", "download"))
    text: str | None = Field(
        default=None,
        validation_alias=AliasChoices(AliasPath("body", "storage", "value"), AliasPath("body", "view", "value")),
    )

    @property
    def facts(self) -> Facts:
        """Return labels and restriction; a restriction that was cut off must be read by itself."""
        named = self.read.restrictions if self.read else WireSubjects()
        is_whole = named.is_expanded and not named.step
        return Facts(frozenset(label.name for label in self.labels), named.subjects if is_whole else None)

    @property
    def above(self) -> Above | None:
        """Return the page that it stands below."""
        return Above(self.ancestors[-1].id) if self.ancestors else None

    @property
    def page(self) -> Page:
        """Return the page."""
        return Page(self.id, self.title, self.space, self.above, self.version)

    @property
    def body(self) -> Body:
        """Return the body that was asked for."""
        return Body(self.title, self.version, present(self.text, self.id), self.author, self.updated_at)

    @property
    def attachment(self) -> Attachment:
        """Return the file."""
        about = (self.author, self.updated_at)
        return Attachment(self.id, self.title, self.container, self.version, self.size, self.download, *about)

    @property
    def comment(self) -> Comment:
        """Return the comment."""
        about = (self.author, self.updated_at)
        return Comment(self.id, self.title, self.container, self.version, self.text or "", *about)
