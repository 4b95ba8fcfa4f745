"""Plyscope's entry point. Without arguments it opens the window, or runs `tour` if there is no display. With a saved
game it opens that in the window. Other command lines go to `engine/cli`."""

import sys

try:
    import gc
    import logging
    import os
    import signal
    import tempfile
    import threading
    from collections.abc import Callable, Iterator
    from contextlib import contextmanager, suppress
    from pathlib import Path
    from typing import Annotated, Literal, NoReturn

    import typer

    from engine import cli
    from engine.cli import options, speedup, tree_files
    from engine.cli.options import MOST_PIXELS, VersionOption, check_files, check_used, file_option, size_of
    from engine.cli.progress import heed_signals
    from engine.control import Control
    from engine.jit.environment import check_environment
    from engine.job import RECORD_ROWS, Job, JobError
    from engine.measure.experiment import Experiment
    from engine.play.game_file import SUFFIX
    from gui.display import why_no_painting, why_no_window
except KeyboardInterrupt:  # Ctrl+C while modules are loaded
    sys.exit(130)

FIRST = Job(position=".../.../...", record=RECORD_ROWS)
"""The job of a new user's first click. Its compilation starts before Qt is loaded."""

Theme = Literal["light", "dark", "safe light", "safe dark", "contrast light", "contrast dark"]
"""The themes of `gui.settings.view_menu`, which cannot be imported here: it loads Qt."""


def main() -> int:
    """Run the command line. Returns the exit code."""
    cli.open_streams("stdin", "stderr")
    try:
        Path.cwd()  # the compiler needs it, too
    except FileNotFoundError:
        return cli.refuse("The working folder is gone: change to another one.", code=1)
    game = game_file(sys.argv[1:])
    if game is not None and os.path.exists(game) and not os.path.isfile(game):
        return cli.refuse(f"{game} is not a regular file: give one that holds a game.")
    if cli.completes() or (len(sys.argv) > 1 and game is None):
        heed_signals()
        return cli.run(sys.argv[1:])
    if (obstacle := why_no_window()) is None:
        try:
            check_environment()
        except JobError as error:
            return cli.refuse(str(error))
        cli.open_streams("stdout")
        gc.disable()  # before loading Qt: `gui.work.garbage` collects afterwards
        from engine.prewarm.background import compiling  # here: commands need neither it nor its library of locks

        with compiling(FIRST):
            if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as by nohup
                signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # Qt, while loaded, may lose an exception
            from gui.app import open_window  # here: without a display, Qt would abort

            return open_window(game)
    if game is not None:
        return cli.refuse(obstacle)
    print(obstacle, file=sys.stderr)
    if code := cli.run(["tour"]):
        return code
    if obstacle := why_no_painting():
        return cli.refuse(f"There is no picture of the window either: {obstacle}", code=0)
    folder = Path.cwd() if os.access(Path.cwd(), os.W_OK) else Path(tempfile.mkdtemp(prefix="plyscope-"))
    return cli.run(["--screenshot", str(folder / "plyscope.png")])


def run_and_exit() -> NoReturn:
    """Run the command line and end the process with the exit code, without the 0.15 s of numba's cleanup."""
    try:
        code = main()
    except KeyboardInterrupt:
        code = 130
    for thread in threading.enumerate():
        if not (thread.daemon or thread is threading.current_thread()):
            thread.join()
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.flush()
    os._exit(code)


@contextmanager
def painting() -> Iterator[None]:
    """In this context Qt can be loaded to paint without a display. Raises JobError, with a sentence, for what cannot be
    painted."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    try:
        yield
    except ValueError as error:
        raise JobError(str(error)) from error


def paint_tree(path: Path, picture: tree_files.PictureRequest) -> None:
    """Write a picture of a result's tree or path. Raises JobError, with a sentence."""
    with painting():
        from gui import result_pictures as pictures  # here: Qt reads its platform when it is loaded

        game, result, size = picture.game, picture.result, picture.size
        if picture.kind == "tree":
            pictures.save_tree(path, game, result, picture.other, picture.colour, size)
        elif picture.kind == "node-link":
            pictures.save_node_link(path, game, result, picture.row, size)
        else:
            pictures.save_path(path, game, result, picture.row, size)


def animate(
    path: Path, picture: tree_files.PictureRequest, seconds: int, control: Control, tell: Callable[[int], None]
) -> bool:
    """Write the replay of a picture's result. Raises JobError, with a sentence."""
    with painting():
        from gui.result_pictures import save_replay

        shown = picture.game, picture.result, picture.other, picture.colour
        return save_replay(path, *shown, seconds, picture.size, control, tell)


def paint_chart(suffix: str, experiment: Experiment, chart: speedup.Chart, is_log: bool) -> bytes:
    """The content of a picture of a measurement's chart, or of a page with all. Raises JobError, with a sentence."""
    with painting():
        from gui.result_pictures import chart_file

        return chart_file(suffix, experiment, chart, is_log)


options.why_no_pictures = why_no_painting
tree_files.painter, tree_files.animator, speedup.painter = paint_tree, animate, paint_chart


def game_file(arguments: list[str]) -> Path | None:
    """The saved game that is the only argument; None if the arguments are a command."""
    named = arguments[0] if len(arguments) == 1 else ""
    is_file = named.endswith(SUFFIX) or (named not in cli.COMMANDS and os.path.isfile(named))
    return Path(named).absolute() if is_file and not named.startswith("-") else None


@cli.app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    screenshot: Annotated[Path | None, file_option("Paint the window into a PNG file.", None)] = None,
    size: Annotated[
        str, typer.Option(metavar="WxH", help=f"The picture's size in pixels, up to {MOST_PIXELS:,} each way.")
    ] = "1440x900",
    theme: Annotated[Theme, typer.Option(help="The picture's colours; quote a name of two words.")] = "light",
    scene: Annotated[Literal["lesson", "ranks"], typer.Option(help="What it shows.")] = "lesson",
    version: VersionOption = False,
) -> None:
    """A laboratory for game-tree search. Without arguments it opens the window; the commands need no display."""
    if (screenshot is None) == (context.invoked_subcommand is None):
        raise JobError("Give a command, or --screenshot FILE; --size, --theme and --scene are for the picture.")
    check_used(context, "size theme scene", screenshot, "a picture", "--screenshot FILE instead of a command")
    if screenshot is not None:
        check_files(png=screenshot)
        with painting():
            from gui.screenshots import save_screenshot

            save_screenshot(screenshot, size_of(size), theme, scene)
        print(f"The window is painted into {screenshot}.")


if __name__ == "__main__":
    run_and_exit()
