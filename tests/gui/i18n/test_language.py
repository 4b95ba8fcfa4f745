"""Every text that a person sees can be translated, and a translation in the folder is shown."""

import ast
import html
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QCoreApplication, QObject, Qt, QTranslator
from PySide6.QtGui import QAction, QGuiApplication, QImage
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QLineEdit, QListView, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from engine.backends.mpi_job import launch
from engine.job import Job, JobError
from engine.messages import message
from engine.options.choices import Fail, Order, Replacement
from engine.play.levels import LEVELS, Choice, level
from engine.play.review import Mistake, Review, sentences
from engine.registry import game
from engine.result import Counters, End, Result, Snapshot, State
from gui.help.errors import ErrorDialog
from gui.help.keys import KeysDialog
from gui.help.menu import HelpPage
from gui.help.palette import CommandPalette
from gui.i18n import glossary, language
from gui.i18n.language import FIELD, localized, resource, tr
from gui.i18n.update_translations import of_the_engine, pack, renew, sources
from gui.settings.dialog import SettingsDialog
from gui.state.analysis import Analysis
from gui.state.game_record import SIDES
from gui.state.mpi import LaunchDialog
from gui.state.wording import search, search_in_full
from gui.tree.path_model import Cell
from gui.tree.path_tile import _caption
from gui.window import Window


def test_a_number_chooses_the_form_of_a_word() -> None:
    said = [tr("{count} node(s), {plies} pl(y|ies)", "", n, count=n, plies=n) for n in (0, 1, 2)]
    assert said == ["0 nodes, 0 plies", "1 node, 1 ply", "2 nodes, 2 plies"]


def test_a_number_may_be_larger_than_qts_numbers() -> None:
    """A search of a minute visits tens of thousands of millions of nodes."""
    for n in (2**31 - 1, 2**31, 13_125_000_001):
        assert tr("{count} node(s)", "", n, count=n) == f"{n} nodes"
        assert tr("%n pl(y|ies)", "", n) == f"{n} plies"


def test_what_fills_a_text_is_not_read_as_a_text() -> None:
    assert tr("Saved as {path}", path="{name} %n (s).txt") == "Saved as {name} %n (s).txt"


# What translators get


def test_every_text_of_the_code_is_found_for_translators(tmp_path: Path) -> None:
    renew(tmp_path / "plyscope_de.ts")
    found = {source.text for source in ElementTree.parse(tmp_path / "plyscope_de.ts").iter("source")}
    assert found == {text for _, text in in_the_code()} | {*of_the_engine()}


def test_every_field_of_a_text_is_filled() -> None:
    for call, text in in_the_code():
        filled = {keyword.arg for keyword in call.keywords}
        if filled and None not in filled:
            assert filled == set(FIELD.findall(text)), text


FINDS = "tr", "mark", "message"


@cache
def in_the_code() -> list[tuple[ast.Call, str]]:
    """Every call of `tr`, `mark` or `message` with a text; for it to be found, the text has to be written out."""
    found = list[tuple[ast.Call, str]]()
    for file in sources():
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in FINDS:
                text = call.args[0]
                assert isinstance(text, ast.Constant | ast.Name | ast.Attribute | ast.Call | ast.Subscript), (
                    f"{file.name}, line {call.lineno}: write the text out, with its fields in braces."
                )
                if isinstance(text, ast.Constant):
                    found.append((call, str(text.value)))
    return found


# What a translation does


@pytest.fixture
def german(tmp_path: Path, qapp: QCoreApplication) -> Iterator[Path]:
    """A folder with a translation of six texts, made and packed by the translators' command; its language is set."""
    file = tmp_path / "plyscope_de.ts"
    renew(file)
    tree = ElementTree.parse(file)
    words = {
        "Think": ["Denken"],
        "Play {move}.": ["Spiele {move}."],
        "%n mark(s)": ["%n Zeichen", "%n Zeichen"],
        "There is no level {name}: {advice}": ["{name} gibt es nicht: {advice}"],
        "choose {names}.": ["Zur Wahl stehen {names}."],
        "pruned": ["beschnitten"],
    }
    for entry in tree.iter("message"):
        if (own := words.get(entry.findtext("source", ""))) is not None:
            translation = entry.find("translation")
            assert translation is not None
            translation.attrib.pop("type")
            forms = translation.findall("numerusform") or [translation]
            for form, text in zip(forms, own, strict=True):
                form.text = text
    tree.write(file, encoding="utf-8", xml_declaration=True)
    pack(file)
    (tmp_path / "glossary_de.toml").write_text('ply = "Ein Zug eines Spielers."', encoding="utf-8")
    installed = language.install("de", tmp_path)
    glossary.meanings.cache_clear()
    yield tmp_path
    for translator in installed:
        qapp.removeTranslator(translator)
    language.install("en")
    language.choose(language.SYSTEM)
    glossary.meanings.cache_clear()


def test_a_picture_of_a_text_is_drawn_anew_in_another_language(request: pytest.FixtureRequest) -> None:
    def picture() -> QImage:
        return _caption(game("tictactoe"), Cell(0, State.PRUNED, None, 0, None), 80, 16, 1.0, "light", 4).toImage()

    english = picture()
    assert picture() == english
    request.getfixturevalue("german")
    assert picture() != english


@pytest.mark.usefixtures("german")
def test_a_translation_is_spoken_and_what_it_lacks_stays_english() -> None:
    assert tr("Think") == "Denken"
    assert tr("Play {move}.", move="b2") == "Spiele b2."
    assert [tr("%n mark(s)", "on a board", n) for n in (1, 2)] == ["1 Zeichen", "2 Zeichen"]
    assert tr("Take it") == "Take it"


@pytest.mark.usefixtures("german")
def test_what_the_engine_refuses_is_retold_and_any_other_text_left_alone() -> None:
    with pytest.raises(JobError) as refused:
        level("Easy")
    assert localized(refused.value) == (
        "'Easy' gibt es nicht: Zur Wahl stehen Beginner, Casual, Club, Strong or Strongest."
    )
    assert str(refused.value).startswith("There is no level 'Easy'"), "the log and the command line stay English"
    assert localized(message("{verb} twice", verb=message("Think"))) == "Denken twice"
    assert tr("Play {move}.", move=message("Think")) == "Spiele Denken."
    assert localized(ValueError("Think")) == "Think"


def test_a_language_has_pages_and_tables_of_its_own(german: Path) -> None:
    assert resource("glossary.toml") == german / "glossary_de.toml"
    assert resource("help.md") == language.RESOURCES / "help.md"
    assert glossary.meanings()["ply"] == "Ein Zug eines Spielers."
    assert glossary.meanings()["node"].startswith("A position"), "a table may lack words"


# What a person sees


class Pseudo(QTranslator):
    """Translates every text by putting it into brackets."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, sourceText: str, disambiguation: str | None = None, n: int = -1) -> str:
        return f"[{sourceText}]"


@pytest.fixture
def pseudo(qapp: QCoreApplication) -> Iterator[None]:
    """Installs Pseudo."""
    translator = Pseudo()
    qapp.installTranslator(translator)
    language.translated.cache_clear()
    yield
    qapp.removeTranslator(translator)
    language.translated.cache_clear()


@pytest.fixture
def bracketed(pseudo: None, qtbot: QtBot) -> Iterator[Window]:
    """A window made with Pseudo."""
    window = Window()
    qtbot.addWidget(window)
    window.show()
    yield window
    window.close()


PROPERTIES = (
    *("text", "title", "windowTitle", "plainText", "placeholderText", "specialValueText", "prefix", "suffix"),
    *("toolTip", "statusTip", "whatsThis", "accessibleName", "accessibleDescription"),
)
DATA = r"Plyscope|English|Deutsch|mpiexec -n {ranks}|mnk|PNG|SVG|CSV|[KMG]iB"
"""Names that are the same in every language."""


def test_every_text_of_the_window_and_its_dialogs_is_translated(bracketed: Window, qtbot: QtBot) -> None:
    bracketed.files.recent.aboutToShow.emit()
    bracketed.files._panel.edit()
    assert untranslated(bracketed) == []
    picture = bracketed.board.picture()
    assert plain([picture.verdict, picture.note, bracketed.board.square_text(0)]) == []
    bracketed.files._panel.leave()
    for kind, open_it in (
        (SettingsDialog, bracketed.settings_action.trigger),
        (LaunchDialog, bracketed.modes.launch.trigger),
        (KeysDialog, bracketed.help.keys.show),
        (CommandPalette, bracketed.help.find),
        (HelpPage, bracketed.help.show_about),
        (ErrorDialog, lambda: [bracketed.help.errors.search_failed("…") for _ in range(2)]),
        (QMessageBox, lambda: bracketed.files.open(Path("none.plyscope"))),
    ):
        open_it()
        (dialog,) = bracketed.findChildren(kind)
        if isinstance(dialog, SettingsDialog):
            dialog.rows()
        if isinstance(dialog, KeysDialog):
            assert len(dialog.edits) > 50
        if isinstance(dialog, HelpPage):
            qtbot.waitUntil(lambda page=dialog: bool(page.text.toPlainText()))
        assert untranslated(dialog) == []
        dialog.close()
    bracketed.tour.start()
    card = bracketed.tour.spotlight.card
    shown = [card.place.text(), card.leave_button.text(), card.back_button.text(), card.on_button.text()]
    assert plain(shown) == []
    bracketed.tour.leave()


def test_what_the_engine_refuses_is_said_in_the_windows_language(bracketed: Window, qtbot: QtBot) -> None:
    notice = bracketed.board_panel.notice
    for text in ("xxx/ooo/...", "xo/.", "plyscope = 1", "plyscope =", 'plyscope = 1\n[game]\nrules = "mnk:9,9,9"'):
        QGuiApplication.clipboard().setText(text)
        bracketed.files.clipboard.paste()
        assert notice.text
        assert plain([notice.text]) == []
    bracketed.choose_game("mnk:0,0,0")
    assert plain([notice.text]) == []
    bracketed.files._panel.edit()
    draft = bracketed.files._panel.draft
    assert draft is not None
    draft.put(0, 1)
    assert draft.obstacle
    assert untranslated(bracketed) == []
    bracketed.files._panel.leave()
    before = launch.choice()
    bracketed.mpi.look(launch.LaunchChoice("no-such-launcher"))
    qtbot.waitUntil(lambda: "no-such-launcher" in bracketed.mpi.reason)
    launch.choose(before)
    assert plain([bracketed.mpi.reason]) == []
    bracketed.choose_game("mnk:8,8,5")
    bracketed.analysis.change(backend="threads", split=8)
    bracketed.think()
    qtbot.waitUntil(lambda: bool(bracketed.findChildren(ErrorDialog)))
    (dialog,) = bracketed.findChildren(ErrorDialog)
    assert "split depth of 8 plies" in dialog.what.text()
    assert untranslated(dialog) == [], "of a search that cannot run"
    dialog.close()


@pytest.mark.usefixtures("pseudo")
def test_why_a_job_broke_off_is_translated(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Snapshot(Counters(), None, None, (), (), (), 0.0)
    why = message("{rank} ended.", rank=message("Rank {rank}", rank=1))
    lost = Result(Job(position=""), nothing, (), (), End.FAILED, failure=why)
    monkeypatch.setattr("gui.state.analysis.Search", lambda: lambda turn: lost)
    analysis, rules = Analysis(), game("tictactoe")
    with qtbot.waitSignal(analysis.failed) as failed:
        analysis.think(rules, rules.start)
    analysis.close()
    assert failed.args == ["[[Rank 1] ended.]"]


def test_the_choices_of_an_expert_are_translated(bracketed: Window) -> None:
    bracketed.options.expert.open()
    assert untranslated(bracketed) == [], "and why nothing can be chosen"
    orders = (Order.RANDOM, Order.TABLE, Order.KILLERS, Order.HISTORY)
    options = {"deepen": True, "aspiration": 1.0, "table": 16.0, "fold": True, "evaluate": False, "order": orders}
    bracketed.analysis.change(algorithm="alphabeta", **options)
    assert untranslated(bracketed) == []
    for replacement in Replacement:
        job = Job(position="", algorithm="alphabeta", replacement=replacement, fail=Fail.HARD, **options)
        assert len(search_in_full(job).splitlines()) == 11 + (replacement is Replacement.DEEPER)
        assert plain([search(job), search_in_full(job)]) == []


def test_what_is_said_after_a_game_is_translated(bracketed: Window, qtbot: QtBot) -> None:
    bracketed.record.set_computer(SIDES["neither"])
    for move in (0, 1, 4, 2, 8):
        bracketed.play(move)
    qtbot.waitUntil(lambda: bool(bracketed.review.words), timeout=60_000)
    assert "lost the game" in bracketed.review.words
    assert plain([bracketed.review.words]) == []


@pytest.mark.usefixtures("pseudo")
def test_every_sentence_after_a_game_is_translated() -> None:
    rules, moves = game("tictactoe"), (0, 1, 4, 2, 8)
    for found in (None, Review(None), *(Review(Mistake(1, 4, *was)) for was in ((1, 0), (1, -1), (0, -1)))):
        for plies in ((), (1,), (1, 3), (0, 1, 2, 3, 4)):
            for proven in (True, False):
                chosen = {ply: Choice(LEVELS["Casual"], moves[ply], 5, proven) for ply in plies}
                assert plain(map(localized, sentences(rules, rules.start, moves, found, chosen))) == []


def untranslated(root: QWidget) -> list[str]:
    """The texts of a window without brackets, other windows excluded."""
    parts = [part for part in (root, *root.findChildren(QWidget)) if part.window() is root]
    things: list[QObject] = [*parts, *root.findChildren(QAction)]
    texts = [
        thing.property(name)
        for thing in things
        for name in PROPERTIES
        if not (isinstance(thing, QLineEdit) and name == "text")
    ]
    for part in parts:
        if isinstance(part, QAbstractItemView):
            texts += in_the_view(part)
        elif isinstance(part, QComboBox):
            texts += [part.itemText(number) for number in range(part.count())]
    return plain(texts)


def in_the_view(view: QAbstractItemView) -> Iterator[str]:
    """The texts of a list or table, and of its headings."""
    model = view.model()
    columns = 1 if isinstance(view, QListView) else model.columnCount()
    for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
        for column in range(columns):
            yield model.headerData(column, Qt.Orientation.Horizontal, role)
            yield from (model.index(row, column).data(role) for row in range(model.rowCount()))


def plain(texts: Iterable[object]) -> list[str]:
    """The texts with words of two letters or more, that are neither in brackets nor data."""
    return [text for text in texts if isinstance(text, str) and re.search(r"[^\W\d_]{2,}", without_brackets(text))]


def without_brackets(text: str) -> str:
    for meaning in glossary.meanings().values():
        text = text.replace(html.escape(meaning), "")
    text, before = re.sub(rf"<[^>]*>|(?<!\w)({DATA})(?!\w)", "", text), ""
    while text != before:
        text, before = re.sub(r"\[[^\[\]]*\]", "", text), text
    return text
