"""jupyter console in a terminal: cells, continuation lines, history, completion, input(), and all the
ways to leave it, with its plain prompt and with that of prompt_toolkit."""
import importlib.util
import os
import pathlib
import re
import sys
import time

import nbformat
import pytest

import expectations

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(importlib.util.find_spec("jupyter_console") is None,
                                reason="jupyter_console is not installed")
FIRST_STEPS = pathlib.Path(__file__).resolve().parents[2] / "notebooks/01-first-steps.ipynb"
CELLS = ("setup", "jit-code", "jit-check", "error-code", "error-check", "vectorize-code")
ESCAPE = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>]|\][^\x07]*\x07)")
ENTER, UP, CONTROL_C, CONTROL_D = "\r", "\x1b[A", "\x03", "\x04"


class Console:
    """A console in a terminal of its own. What it shows is read without escapes."""

    def __init__(self, folder, *options):
        env = {**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1",
               "GRIDCELL_HISTORY": str(folder / "history.sqlite")}
        self.process = pexpect.spawn(sys.executable, ["-m", "jupyter_console", "--kernel", "gridcell", *options],
                                     cwd=str(folder), env=env, encoding="utf-8", echo=False,
                                     dimensions=(40, 200))
        self.shown, self.ended = "", False

    def see(self, pattern, timeout=60):
        """Reads on until the pattern comes; what came before it."""
        end = time.monotonic() + timeout
        while True:
            text = ESCAPE.sub("", self.shown)
            found = re.search(pattern, text)
            if found:
                self.shown = text[found.end():]
                return text[:found.start()].replace("\r\n", "\n")
            assert not self.ended and time.monotonic() < end, f"no {pattern!r} in {text!r}"
            self._read()

    def _read(self):
        try:
            self.shown += self.process.read_nonblocking(65536, 0.2)
        except pexpect.TIMEOUT:
            pass
        except pexpect.EOF:
            self.ended = True

    def type(self, keys, pattern):
        self.process.send(keys)
        return self.see(pattern)

    def ends(self, timeout=20):
        end = time.monotonic() + timeout
        while not self.ended and time.monotonic() < end:
            self._read()
        if self.ended:
            self.process.wait()
        return self.ended and self.process.exitstatus == 0


@pytest.fixture
def console(tmp_path):
    started = []

    def start(*options):
        started.append(Console(tmp_path, *options))
        started[-1].see(r"In \[1\]: ")
        return started[-1]
    yield start
    for one in started:
        one.process.close(force=True)


def test_cells_of_a_notebook(console):
    plain = console("--simple-prompt")
    cells = {cell.id: cell for cell in nbformat.read(FIRST_STEPS, as_version=4).cells}
    for number, cell in enumerate(map(cells.get, CELLS), 1):
        # the plain prompt takes one line for a cell
        plain.process.sendline(f"done = get_ipython().run_cell({cell.source!r})")
        shown = expectations.ANSI.sub("", plain.see(rf"In \[{number + 1}\]: "))
        expected = cell.metadata.get("expect", {})
        wanted = expected.get("ename") or expected.get("stdout") or expected.get("result", "")
        assert re.search(wanted.strip("^$"), shown), shown
    plain.type("input('name? ').upper()\n", r"name\? ")
    plain.type("ada\n", r"'ADA'")
    plain.see(r"In \[8\]: ")
    plain.type("while True: pass\n", "")
    time.sleep(0.5)
    plain.type(CONTROL_C, "KeyboardInterrupt")
    plain.see(r"In \[9\]: ")
    plain.process.sendline("exit()")
    assert plain.ends()


def test_lines_history_and_completion(console):
    before = console("--simple-prompt")
    before.type("6 * 111\n", "666")
    before.see(r"In \[2\]: ")
    before.process.sendline("quit")
    assert before.ends()
    prompt = console()
    prompt.type(UP, "quit")
    prompt.type(UP, r"6 \* 111")
    prompt.type(ENTER, r"Out\[1\]: 666")
    prompt.see(r"In \[2\]: ")
    prompt.type("for i in range(3):" + ENTER, r"\.\.\.: ")
    prompt.type("print('line', i * 21)" + ENTER, r"\.\.\.: ")    # the console indents it
    prompt.type(ENTER, "line 0\r*\nline 21\r*\nline 42")
    prompt.see(r"In \[3\]: ")
    prompt.type("answer_to_everything = 42" + ENTER, r"In \[4\]: ")
    prompt.type("answer_to_ev\t", "answer_to_everything|erything")
    prompt.type(" + 1" + ENTER, r"Out\[4\]: 43")
    prompt.see(r"In \[5\]: ")
    prompt.type("input('name? ').upper()" + ENTER, r"name\? ")
    prompt.type("ada" + ENTER, "'ADA'")
    prompt.see(r"In \[6\]: ")
    prompt.process.send("exit" + ENTER)
    assert prompt.ends()


def test_leaving_by_the_end_of_input(console):
    plain = console("--simple-prompt")
    plain.type(CONTROL_D, r"exit \(\[y\]/n\)\?")
    plain.process.sendline("y")
    assert plain.ends()
