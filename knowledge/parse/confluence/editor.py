"""Tasks, decisions, dates and what the newer editor adds to storage format: the extensions of its document format."""

from collections.abc import Mapping

from knowledge.parse.confluence.modes import Capture, Handler, Mode, Opened
from knowledge.parse.readable import ReadableText

_OPEN_TASK, _DONE_TASK = "☐ ", "☑ "


class EditorElements:
    """Writes tasks, dates and extensions; an extension is shown once, by its content or by what stands for it."""

    def __init__(self, page: ReadableText, capture: Capture) -> None:
        self._page = page
        self._capture = capture
        self._task_marker = _OPEN_TASK
        self._parts_before_extension: list[int] = []

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """What opens each of the elements."""
        return {
            "ac:task-list": self._open_task_list,
            "ac:task-status": self._open_task_status,
            "ac:task-body": self._open_task,
            "ac:layout-cell": self._open_block,
            "ac:adf-extension": self._open_extension,
            "ac:adf-node": self._open_node,
            "ac:adf-content": self._open_block,
            "ac:adf-fallback": self._open_fallback,
            "time": self._open_time,
        }

    def _open_block(self, _: Mapping[str, str], __: str) -> Opened:
        self._page.end_paragraph()
        return Mode.SHOWN, self._page.end_paragraph

    def _open_task_list(self, _: Mapping[str, str], __: str) -> Opened:
        self._page.open_list()
        return Mode.BETWEEN, self._page.close_list

    def _open_task_status(self, _: Mapping[str, str], __: str) -> Opened:
        return self._capture.open(self._mark_task)

    def _mark_task(self, status: str) -> None:
        self._task_marker = _DONE_TASK if status.strip() == "complete" else _OPEN_TASK

    def _open_task(self, _: Mapping[str, str], __: str) -> Opened:
        self._page.open_item(self._task_marker)
        self._task_marker = _OPEN_TASK
        return Mode.SHOWN, self._page.close_item

    def _open_extension(self, _: Mapping[str, str], __: str) -> Opened:
        self._page.end_paragraph()
        self._parts_before_extension.append(self._page.parts)
        return Mode.BETWEEN, self._close_extension

    def _close_extension(self) -> None:
        self._page.end_paragraph()
        self._parts_before_extension.pop()

    def _open_node(self, attributes: Mapping[str, str], _: str) -> Opened:
        match attributes.get("type"):
            case "decision-list":
                self._page.open_list()
                return Mode.BETWEEN, self._page.close_list
            case "decision-item":
                self._page.open_item()
                return Mode.BETWEEN, self._page.close_item
        return Mode.BETWEEN, None

    def _open_fallback(self, attributes: Mapping[str, str], outside: str) -> Opened:
        """Show what stands for the content of an extension, when that itself had nothing to show."""
        self._page.end_paragraph()
        if self._parts_before_extension and self._page.parts > self._parts_before_extension[-1]:
            return Mode.HIDDEN, None
        return self._open_block(attributes, outside)

    def _open_time(self, attributes: Mapping[str, str], _: str) -> Opened:
        """Show the words for a date, or the date itself."""
        date = attributes.get("datetime", "")
        return self._capture.open(lambda text: self._page.write(text if text.strip() else date))
