"""What is printed, from Python, from C and from other processes: live, ordered, whole."""
import time

import pytest


def test_small_writes_are_gathered(kernel):
    result = kernel.run("for i in range(1000): print(i)")
    assert result.text() == "".join(f"{i}\n" for i in range(1000))
    assert len(result.contents("stream")) < 50


def test_output_is_live(kernel):
    msg_id = kernel.client.execute("import time\nprint('early')\ntime.sleep(2)")
    start = time.monotonic()
    kernel.wait_for_text("early")
    assert time.monotonic() - start < 1.5
    kernel.receive_reply(msg_id)


def test_stdout_and_stderr_keep_their_order(kernel):
    result = kernel.run("import sys\nfor i in range(3):\n"
                        "    print('o', i)\n    print('e', i, file=sys.stderr)")
    shown = [(c["name"], c["text"]) for c in result.contents("stream")]
    assert shown == [(name, f"{name[3]} {i}\n") for i in range(3) for name in ("stdout", "stderr")]


def test_text_comes_before_the_display_that_follows_it(kernel):
    result = kernel.run("import os\nfrom IPython.display import display\n"
                        "print('a'); display(1); os.system('echo b'); display(2); print('c')")
    assert result.types[2:-1] == ["stream", "display_data", "stream", "display_data", "stream"]
    assert [c["text"] for c in result.contents("stream")] == ["a\n", "b\n", "c\n"]


# name: a cell, and what it leaves on the two streams
CELLS = {
    "child processes and descriptors": (
        "import os, subprocess, sys\n"
        "os.write(1, b'one\\n'); os.write(2, b'two\\n')\n"
        "subprocess.run(['echo', 'three'])\n"
        "subprocess.run([sys.executable, '-c', 'print(4)'])\n"
        "print('five')", "one\nthree\n4\nfive\n", "two\n"),
    "stdio of C": (
        "import ctypes\nlibc = ctypes.CDLL(None)\n"
        "print('first')\nlibc.printf(b'from C\\n')\nlibc.printf(b'no newline')", "first\nfrom C\nno newline", ""),
    "multiprocessing": (
        "import multiprocessing, time\n"
        "def work(): print('in child')\n"
        "child = multiprocessing.get_context('fork').Process(target=work)\n"
        "child.start(); child.join(10)\n"
        "sleeper = multiprocessing.get_context('fork').Process(target=time.sleep, args=(60,))\n"
        "sleeper.start(); sleeper.terminate(); sleeper.join(10)\n"
        "print(child.exitcode, sleeper.exitcode)", "in child\n0 -15\n", ""),
    "UTF-8 split over writes": (
        "import os, time\n"
        "for byte in 'é😀'.encode():\n"
        "    os.write(1, bytes([byte])); time.sleep(0.03)", "é😀", ""),
}


@pytest.mark.parametrize("name", CELLS)
def test_all_that_is_written_arrives(kernel, name):
    code, out, err = CELLS[name]
    result = kernel.run(code)
    assert (result.text(), result.text("stderr")) == (out, err)


def test_fork_without_exec(kernel):
    result = kernel.run("import os\npid = os.fork()\n"
                        "if not pid:\n    print('child', flush=True)\n    os._exit(0)\n"
                        "_ = os.waitpid(pid, 0)\nprint('parent')")
    assert result.text() == "child\nparent\n"
    assert result.types.count("execute_input") == 1


def test_bytes_that_are_not_utf8(kernel):
    result = kernel.run("import os\nos.write(1, b'a\\xff\\xfeb\\n')\nprint('c')")
    assert result.text().startswith("a")
    assert result.text().endswith("b\nc\n")


def test_a_lot_of_text(kernel):
    result = kernel.run("print('x' * 20_000_000)", timeout=60)
    assert len(result.text()) == 20_000_001


def test_a_lot_of_text_from_a_child(kernel):
    result = kernel.run("import os\nos.system('head -c 3000000 /dev/zero | tr \"\\\\\\\\0\" y')",
                        timeout=60)
    assert result.text() == "y" * 3_000_000


def test_output_after_the_cell_belongs_to_it(kernel):
    msg_id = kernel.client.execute("import os\n_ = os.system('(sleep 0.3; echo late) &')")
    kernel.receive_reply(msg_id)
    assert kernel.wait_for_text("late")["parent_header"]["msg_id"] == msg_id


def test_buffered_text_is_out_before_the_reply(kernel):
    for i in range(50):
        result = kernel.run(f"print({i}, end='')")
        assert result.text() == str(i)


def test_flushing_after_each_letter_floods_nobody(kernel):
    result = kernel.run("for i in range(20_000): print('.', end='', flush=True)")
    assert result.text() == "." * 20_000
    assert len(result.contents("stream")) < 1000


def test_streams_in_quick_turns_flood_nobody(kernel):
    result = kernel.run("import sys\nfor i in range(20_000):\n"
                        "    print(i)\n    print(i, file=sys.stderr)")
    expected = "".join(f"{i}\n" for i in range(20_000))
    assert result.text() == expected and result.text("stderr") == expected
    assert len(result.contents("stream")) < 10_000
