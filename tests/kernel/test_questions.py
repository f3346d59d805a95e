"""Completion, inspection, completeness, history."""
import re

import pytest


def matches(kernel, code, cursor=None):
    content = kernel.ask("complete_request", {
        "code": code, "cursor_pos": len(code) if cursor is None else cursor}).content
    assert content["status"] == "ok"
    types = content["metadata"]["_jupyter_types_experimental"]
    assert [entry["text"] for entry in types] == content["matches"]
    return content


@pytest.mark.parametrize("code, expected", [
    ("zi", {"zip"}),
    ("import os; os.pat", {"path", "pathconf", "pathconf_names", "pathsep"}),
    ("lam", {"lambda"}),
    ("%tim", {"%time", "%timeit", "%%time", "%%timeit"}),
    ("%%writef", {"%%writefile"}),
    ("import graphli", {"graphlib"}),
    ("import importlib.machi", {"importlib.machinery"}),
    ("from os import getpi", {"getpid"}),
    ("nosuch.x", set()),
])
def test_completions(kernel, code, expected):
    assert set(matches(kernel, code)["matches"]) == expected


def test_completion_of_the_users_names(kernel):
    kernel.run("gridlock = {'a': 1}\nclass Thing:\n    colour = 1\n    _private = 2\nthing = Thing()")
    assert matches(kernel, "x = gridl")["matches"] == ["gridlock"]
    assert matches(kernel, "thing.")["matches"] == ["colour"]
    assert "_private" in matches(kernel, "thing._p")["matches"]
    content = matches(kernel, "thing.col")
    assert (content["cursor_start"], content["cursor_end"]) == (6, 9)


def test_completion_counts_characters(kernel):
    kernel.run("größe = 1")
    content = matches(kernel, "'é'; grö")
    assert content["matches"] == ["größe"]
    assert (content["cursor_start"], content["cursor_end"]) == (5, 8)


def test_completion_of_files(kernel, tmp_path):
    (tmp_path / "data.csv").touch()
    assert matches(kernel, f"open('{tmp_path}/da")["matches"] == [f"{tmp_path}/data.csv"]


def test_completion_of_keys(kernel):
    kernel.run("table = {'first': 1, 'fast': 2, 'second': 3, 4: 5}")
    content = matches(kernel, "table['f")
    assert content["matches"] == ["fast", "first"]
    assert content["cursor_start"] == 7


def test_completion_has_no_effects(kernel):
    kernel.run("class P:\n    @property\n    def boom(self): print('called')\np = P()")
    content = matches(kernel, "p.bo")
    assert content["matches"] == ["boom"]


@pytest.mark.parametrize("code, status", [
    ("1", "complete"), ("", "complete"), ("def f(x):\n  return x*2\n\n\n", "complete"),
    ("%timeit pass", "complete"), ("!ls", "complete"), ("x = 1\n", "complete"),
    ("print('''hello", "incomplete"), ("def f(x):\n  x*2", "incomplete"), ("a = (", "incomplete"),
    ("%%timeit\nx", "incomplete"), ("for i in range(3):", "incomplete"), ("x = \\", "incomplete"),
    ("import = 7q", "invalid"), ("a b c", "invalid"), ("await f()", "complete"),
])
def test_is_complete(kernel, code, status):
    assert kernel.ask("is_complete_request", {"code": code}).content["status"] == status


@pytest.mark.parametrize("code, indent", [
    ("for i in x:", "    "), ("def f():\n    if a:", "        "), ("def f():\n    return 1", ""), ("a = (", "")])
def test_indentation_of_the_next_line(kernel, code, indent):
    assert kernel.ask("is_complete_request", {"code": code}).content["indent"] == indent


def inspect(kernel, code, cursor, level=0):
    content = kernel.ask("inspect_request",
                         {"code": code, "cursor_pos": cursor, "detail_level": level}).content
    text = content["data"].get("text/plain", "")
    return content["found"], re.sub("\x1b\\[[0-9;]*m", "", text)


def test_inspect(kernel):
    kernel.run("def area(width, height=2):\n    'The area.'\n    return width * height")
    found, text = inspect(kernel, "area", 4)
    assert found and "Signature: area(width, height=2)" in text and "Docstring: The area." in text
    assert "return width * height" in inspect(kernel, "area", 4, 1)[1]
    assert "The area." in inspect(kernel, "x = area(3, ", 12)[1]
    assert inspect(kernel, "nosuch", 3) == (False, "")
    assert "String form: 5" in inspect((kernel.run("five = 5"), kernel)[1], "five", 2)[1]
    assert "Docstring" in inspect(kernel, "%timeit", 5)[1]


def test_history(kernel):
    kernel.run("first_of_history = 1")
    kernel.run("second_of_history = 2")
    kernel.run("first_of_history = 1")

    def ask(**content):
        return kernel.ask("history_request", {"raw": True, "output": False, **content}).content["history"]

    tail = ask(hist_access_type="tail", n=2)
    assert [row[2] for row in tail] == ["second_of_history = 2", "first_of_history = 1"]
    found = ask(hist_access_type="search", pattern="*_of_history*", unique=True, n=10)
    assert [row[2] for row in found] == ["second_of_history = 2", "first_of_history = 1"]
    session, line, _ = tail[0]
    assert ask(hist_access_type="range", session=0, start=line, stop=line + 1) == [tail[0]]
    assert ask(hist_access_type="range", session=session, start=line, stop=line + 1) == [tail[0]]
    kernel.run("41 + 1")
    assert ask(hist_access_type="tail", n=1, output=True)[0][2] == ["41 + 1", "42"]
