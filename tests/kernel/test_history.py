"""What was typed, kept from session to session."""
import os
import sqlite3
import time

import pytest


def ask(kernel, access, **content):
    reply = kernel.ask("history_request", {"hist_access_type": access, "raw": True, "output": False, **content})
    assert reply.content["status"] == "ok"
    return reply.content["history"]


@pytest.fixture
def history_file(tmp_path):
    return tmp_path / "deep" / "history.sqlite"


@pytest.fixture
def start(start_kernel, history_file):
    return lambda path=history_file: start_kernel(env={"GRIDCELL_HISTORY": str(path)})


def stop(kernel):
    kernel.client.shutdown()
    assert kernel.process.wait(10) is not None


def test_the_next_session_finds_it(start, history_file):
    first = start()
    first.run("kept = 'é'\nsecond_line")
    first.run("%time 6 * 7")
    first.run("6 * 7")
    stop(first)
    second = start()
    second.run("own = 1")
    second.run("6 * 7")
    assert ask(second, "tail", n=3) == [[1, 3, "6 * 7"], [2, 1, "own = 1"], [2, 2, "6 * 7"]]
    assert ask(second, "range", session=1, start=1, stop=3) == [
        [1, 1, "kept = 'é'\nsecond_line"], [1, 2, "%time 6 * 7"]]
    assert ask(second, "range", session=-1, start=3, output=True) == [[1, 3, ["6 * 7", None]]]
    assert ask(second, "range", session=0, start=2, output=True) == [[2, 2, ["6 * 7", "42"]]]
    assert [row[1] for row in ask(second, "range", session=0, start=1)] == [1, 2]
    assert ask(second, "range", session=1, start=2, stop=3, raw=False)[0][2].startswith("get_ipython()")
    assert ask(second, "search", pattern="6*", n=10) == [[1, 3, "6 * 7"], [2, 2, "6 * 7"]]
    assert ask(second, "search", pattern="6*", n=10, unique=True) == [[2, 2, "6 * 7"]]
    assert ask(second, "search", pattern="*kept*") == [[1, 1, "kept = 'é'\nsecond_line"]]


def test_tables_are_those_of_ipython(start, history_file):
    kernel = start()
    kernel.run("1 + 1")
    kernel.run("x = 2")
    stop(kernel)
    with sqlite3.connect(history_file) as database:
        assert database.execute("SELECT session, line, source, source_raw FROM history").fetchall() == [
            (1, 1, "1 + 1", "1 + 1"), (1, 2, "x = 2", "x = 2")]
        assert database.execute("SELECT * FROM output_history").fetchall() == []
        session, begin, end, count, remark = database.execute("SELECT * FROM sessions").fetchone()
        assert (session, count, remark) == (1, 2, "")
        assert begin <= end


def configured(start_kernel, folder, *lines):
    """A kernel with these lines in its configuration file, and no GRIDCELL_HISTORY."""
    profile = folder / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_config.py").write_text("\n".join(("c = get_config()", *lines)))
    return start_kernel(env={"IPYTHONDIR": str(folder), "HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")})


def stored(path, what="source"):
    table = "output_history" if what == "output" else "history"
    with sqlite3.connect(path) as database:
        return [row[0] for row in database.execute(f"SELECT {what} FROM {table}")]


def test_outputs_are_kept_where_the_user_wants_it(start_kernel, tmp_path, monkeypatch):
    monkeypatch.delenv("GRIDCELL_HISTORY", raising=False)
    file = tmp_path / "data/gridcell/history.sqlite"
    for setting, kept in ((None, []), ("False", []), ("True", ["'a secret'"])):
        lines = [f"c.HistoryManager.db_log_output = {setting}"] if setting else []
        kernel = configured(start_kernel, tmp_path, *lines)
        kernel.run("'a ' + 'secret'")
        assert kernel.run("%history -o 1").text() == "'a ' + 'secret'\n'a secret'\n"
        stop(kernel)
        assert stored(file, "output") == kept
        assert (b"a secret" in file.read_bytes()) == bool(kept)
    kernel = configured(start_kernel, tmp_path)
    assert kernel.run("%config HistoryManager.db_log_output").contents("execute_result")[0]["data"]["text/plain"] == "False"
    kernel.run("%config HistoryManager.db_log_output = True")
    kernel.run("'wanted'")
    stop(kernel)
    assert stored(file, "output") == ["'a secret'", "'wanted'"]


def test_the_file_is_for_this_user(start_kernel, tmp_path, monkeypatch):
    monkeypatch.delenv("GRIDCELL_HISTORY", raising=False)
    folder, before = tmp_path / "data/gridcell", os.umask(0)
    try:
        for _ in range(2):
            kernel = configured(start_kernel, tmp_path)
            kernel.run("1")
            stop(kernel)
            assert (folder / "history.sqlite").stat().st_mode & 0o777 == 0o600
            assert folder.stat().st_mode & 0o777 == 0o700
            (folder / "history.sqlite").chmod(0o644)  # as earlier versions left it
    finally:
        os.umask(before)


def test_a_file_of_the_users_choice(start_kernel, tmp_path, monkeypatch):
    monkeypatch.delenv("GRIDCELL_HISTORY", raising=False)
    own = tmp_path / "own.sqlite"
    kernel = configured(start_kernel, tmp_path, f"c.HistoryManager.hist_file = {str(own)!r}")
    kernel.run("own = 1")
    ask(kernel, "tail", n=1)
    assert "the history is in use" in kernel.run("%config HistoryManager.enabled = False").text("stderr").lower()
    stop(kernel)
    assert stored(own, "source_raw") == ["own = 1", "%config HistoryManager.enabled = False"]
    assert own.stat().st_mode & 0o777 == 0o600
    kernel = configured(start_kernel, tmp_path, "c.HistoryManager.enabled = False")
    kernel.run("nowhere = 1")
    assert kernel.run("%history").text() == "nowhere = 1\n%history\n"
    stop(kernel)
    assert not (tmp_path / "data").exists()


def test_ipython_reads_it(start, history_file):
    history = pytest.importorskip("IPython.core.history")
    kernel = start()
    kernel.run("shared = 1")
    stop(kernel)
    accessor = history.HistoryAccessor(hist_file=str(history_file))
    assert list(accessor.search("shared*")) == [(1, 1, "shared = 1")]


def test_it_is_written_while_the_kernel_lives(start, history_file):
    kernel = start()
    kernel.run("soon = 1")
    end = time.monotonic() + 10
    rows = []
    while not rows and time.monotonic() < end:
        time.sleep(0.1)
        if history_file.exists():
            try:
                with sqlite3.connect(history_file) as database:
                    rows = database.execute("SELECT source_raw FROM history").fetchall()
            except sqlite3.OperationalError:
                continue
    assert rows == [("soon = 1",)]


def test_starting_makes_no_file(start, history_file):
    kernel = start()
    kernel.run("silent = 1", silent=True)
    kernel.run("unstored = 1", store_history=False)
    time.sleep(0.5)
    assert not history_file.exists()


def test_a_locked_file_keeps_no_cell_waiting(start, history_file):
    kernel = start()
    kernel.run("a = 1")
    assert ask(kernel, "tail", n=1) == [[1, 1, "a = 1"]]
    with sqlite3.connect(history_file, isolation_level=None) as database:
        database.execute("BEGIN EXCLUSIVE")
        begin = time.monotonic()
        for i in range(20):
            kernel.run(f"b = {i}")
        assert time.monotonic() - begin < 2
        database.execute("ROLLBACK")
    assert ask(kernel, "tail", n=2) == [[1, 20, "b = 18"], [1, 21, "b = 19"]]


def test_where_nothing_can_be_written_the_session_is_kept(start, tmp_path):
    obstacle = tmp_path / "file"
    obstacle.write_text("")
    kernel = start(obstacle / "history.sqlite")
    kernel.run("a = 1")
    assert ask(kernel, "tail", n=5) == [[1, 1, "a = 1"]]


def test_the_history_manager(start):
    first = start()
    first.run("early = 1")
    stop(first)
    kernel = start()
    kernel.run("6 * 7")
    text = kernel.run("manager = get_ipython().history_manager\n"
                      "print(manager.session_number, list(manager.get_range(-1)), manager.get_tail(1),\n"
                      "      list(manager.get_range(0, 1, 2, output=True)), list(manager.search('early*')))").text()
    assert text == "2 [(1, 1, 'early = 1')] [(2, 1, '6 * 7')] [(0, 1, ('6 * 7', '42'))] [(1, 1, 'early = 1')]\n"


def test_home_is_the_default_place(start_kernel, tmp_path, monkeypatch):
    monkeypatch.delenv("GRIDCELL_HISTORY", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    kernel = start_kernel(env={"HOME": str(tmp_path)})
    kernel.run("a = 1")
    assert ask(kernel, "tail", n=1) == [[1, 1, "a = 1"]]
    assert (tmp_path / ".local/share/gridcell/history.sqlite").exists()
