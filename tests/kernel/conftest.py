"""The kernel of the build with the fixtures of tests/protocol, and what cells are checked with."""
import importlib.util
import json
import pathlib
import re
import subprocess

import pytest

_path = pathlib.Path(__file__).resolve().parent.parent / "protocol/conftest.py"
_spec = importlib.util.spec_from_file_location("protocol_fixtures", _path)
_protocol = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_protocol)
start_kernel, kernel, connection = _protocol.start_kernel, _protocol.kernel, _protocol.connection


def without_colours(text):
    return re.sub("\x1b\\[[0-9;]*m", "", text)


class Cells:
    """Runs cells, and gives what is looked at most often."""

    def __init__(self, kernel):
        self.kernel = kernel

    def run(self, code, **options):
        return self.kernel.run(code, **options)

    def ok(self, code, **options):
        outcome = self.run(code, **options)
        assert outcome.content["status"] == "ok", outcome.content
        return outcome

    def text(self, code, **options):
        """What an error-free cell printed on stdout."""
        return self.ok(code, **options).text()

    def result(self, code):
        """The text of the cell's result; None when it has none."""
        results = self.ok(code).contents("execute_result")
        return results[0]["data"]["text/plain"] if results else None

    def answer(self, *turns):
        """Each cell must print, and have as its result, what stands beside it."""
        for code, expected in turns:
            outcome = self.ok(code)
            results = outcome.contents("execute_result")
            assert outcome.text() + "".join(r["data"]["text/plain"] for r in results) == expected, code

    def data(self, code):
        """The bundle of the cell's only display."""
        return self.ok(code).contents("display_data")[0]["data"]

    def traceback(self, code):
        """The traceback of a failing cell, without colours."""
        outcome = self.run(code)
        assert outcome.content["status"] == "error"
        return without_colours("\n".join(outcome.contents("error")[0]["traceback"]))

    def usage_error(self, code):
        """The message of a cell that used a magic wrongly."""
        outcome = self.run(code)
        assert outcome.content["ename"] == "UsageError"
        assert "error" not in outcome.types
        return outcome.text("stderr")


@pytest.fixture(scope="session")
def kernel_class():
    return _protocol.Kernel


@pytest.fixture
def cells(kernel):
    return Cells(kernel)


@pytest.fixture
def run_file(gridcell, tmp_path):
    """Writes a file and runs it with `gridcell run`."""
    def run(name, content, *arguments):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return subprocess.run([gridcell, "run", path, *arguments], capture_output=True, text=True,
                              timeout=60, cwd=tmp_path)
    return run
