"""Cells that would end or silence a careless kernel: each is answered, and the next one runs."""
import json
import os
import socket
import subprocess
import time

import pytest


@pytest.fixture(autouse=True)
def lives(kernel):
    yield
    result = kernel.run("print(6 * 7)")
    assert (result.content["status"], result.text()) == ("ok", "42\n")


@pytest.mark.parametrize("code", ["x = 1\0\nprint(2)", "print('a\0b')", "%time 1\0", "!echo a\0b",
                                  "%%bash\necho \0", "\0", "x?\0"])
def test_nul_in_a_cell(kernel, code):
    content = kernel.run(code).content
    assert content["status"] == "error"
    assert "null byte" in content["evalue"]


def send_raw(kernel, content):
    """A request whose content is these bytes of JSON."""
    session = kernel.client.session
    header = {"msg_id": os.urandom(8).hex(), "msg_type": "execute_request", "session": "s",
              "username": "u", "version": "5.3"}
    parts = [json.dumps(header).encode(), b"{}", b"{}", content]
    kernel.client.shell_channel.socket.send_multipart([b"<IDS|MSG>", session.sign(parts), *parts])
    return header["msg_id"]


def test_lone_surrogates_in_a_cell(kernel):
    """As browsers write them in JSON."""
    msg_id = send_raw(kernel, rb'{"code": "print(ascii(\"a\ud83d\"), \"\ud83d\ude00\")"}')
    assert kernel.receive_reply(msg_id)["content"]["status"] == "ok"
    text = "".join(m["content"].get("text", "") for m in kernel.receive_until_idle(msg_id))
    assert text == "'a\\ufffd' \U0001f600\n"


@pytest.mark.parametrize("code", ["'\\ud800'", "display({'text/plain': '\\udfff'}, raw=True)",
                                  "import sys; sys.stdout.write('\\ud800'); sys.stderr.write('\\udcff')"])
def test_lone_surrogates_in_output(kernel, code):
    assert kernel.run(code).content["status"] == "ok"


def test_lone_surrogates_in_an_error(kernel):
    assert kernel.run("raise ValueError('\\udcff')").content["ename"] == "ValueError"


def test_output_that_is_not_text(kernel):
    result = kernel.run("import os, sys\nsys.stdout.buffer.write(b'\\xff\\xfe ok\\n'); os.write(1, b'\\xc3(\\n')")
    assert "ok" in result.text()
    assert kernel.run("display({'application/json': {'a': float('nan')}}, raw=True)").content["status"] == "ok"


def test_a_million_lines(kernel):
    result = kernel.run("# line\n" * 1_000_000 + "print('end')", timeout=60)
    assert result.text() == "end\n"
    kernel.run("x = [\n" + "0,\n" * 200_000 + "]\nprint(len(x))", timeout=60)
    assert kernel.run("1 / 0  # é\n" + "\n" * 1_000_000, timeout=60).content["ename"] == "ZeroDivisionError"


def test_one_very_long_line(kernel):
    assert kernel.run(f"print(len('{'é' * 5_000_000}'))", timeout=60).text() == "5000000\n"


@pytest.mark.parametrize("code, names", [
    ("(" * 100_000 + ")" * 100_000, {"SyntaxError", "MemoryError"}),
    ("x = " + "-" * 100_000 + "1", {"MemoryError", "RecursionError", "SyntaxError"}),
    ("x = " + "+".join(["1"] * 100_000), {"RecursionError"}),
    ("print('before')\ndef f(n): return f(n + 1)\nf(0)", {"RecursionError"}),
    ("print('before')\nclass A:\n    def __repr__(self): return repr(self)\nA()", {"RecursionError"}),
    ("print('before')\na = []\nfor i in range(100_000): a = [a]\nrepr(a)", {"RecursionError"}),
    ("print('before')\na = []\nfor i in range(100_000): a = [a]\na", {"RecursionError"})])
def test_depth(kernel, code, names):
    result = kernel.run(code, timeout=60)
    assert result.content["ename"] in names
    assert result.text() == ("before\n" if "before" in code else "")


@pytest.mark.parametrize("code, value", [("sys.exit()", ""), ("sys.exit(3)", "3"), ("raise SystemExit('bye')", "bye"),
                                         ("exit_code = 0; sys.exit(exit_code)", "0")])
def test_sys_exit_ends_the_cell_alone(kernel, code, value):
    result = kernel.run(f"import sys\nprint('before')\n{code}")
    assert (result.content["ename"], result.content["evalue"]) == ("SystemExit", value)
    assert result.text() == "before\n"


@pytest.mark.parametrize("code, output", [
    ("if not pid: os._exit(7)\nprint(os.waitpid(pid, 0)[1] >> 8)", "7\n"),
    ("if pid: print(os.waitpid(pid, 0)[1])", "0\n"),  # the child reaches the end of the cell
    ("if not pid: sys.exit(3)\nprint(os.waitpid(pid, 0)[1] >> 8)", "3\n"),
    ("if not pid: raise ValueError('in the child')\nprint(os.waitpid(pid, 0)[1] >> 8)", "1\n"),
    ("print('child' if not pid else 'parent ' + str(os.waitpid(pid, 0)[1]))", "child\nparent 0\n"),
    ("if not pid: display('nowhere')\nelse: print(os.waitpid(pid, 0)[1])", "0\n")])
def test_fork(kernel, code, output):
    result = kernel.run(f"import os, sys\npid = os.fork()\n{code}")
    assert (result.content["status"], result.text()) == ("ok", output)
    assert "ValueError" in result.text("stderr") or "ValueError" not in code
    assert result.types.count("status") == 2


def test_fork_in_a_thread_and_in_pools(kernel):
    assert kernel.run("import math, multiprocessing\nfrom concurrent.futures import ProcessPoolExecutor\n"
                      "with ProcessPoolExecutor(2) as pool: print(list(pool.map(math.sqrt, [1, 4])))"
                      ).text() == "[1.0, 2.0]\n"
    assert kernel.run("import threading\ndef work():\n    pid = os.fork()\n    if not pid: os._exit(5)\n"
                      "    print(os.waitpid(pid, 0)[1] >> 8)\n"
                      "thread = threading.Thread(target=work); thread.start(); thread.join()").text() == "5\n"


def test_a_child_does_not_keep_the_ports(start_kernel):
    for transport in ("tcp", "ipc"):
        kernel = start_kernel(transport=transport)
        child = int(kernel.run("import os, time\nreads, writes = os.pipe()\npid = os.fork()\n"
                               "if not pid:\n    os.setsid(); os.write(writes, b'on'); time.sleep(60)\n"
                               "_ = os.read(reads, 2); print(pid)").text())
        try:
            names = os.listdir(f"/proc/{child}/fd")
            kernel.process.kill()
            kernel.process.wait(5)
            assert names
            if transport == "tcp":
                for name in ("shell", "control", "iopub", "stdin", "hb"):
                    with socket.socket() as probe:
                        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                        probe.bind(("127.0.0.1", getattr(kernel.manager, name + "_port")))
                        probe.listen()
        finally:
            os.kill(child, 9)


@pytest.mark.parametrize("code, output", [
    ("import os\nprint('before'); os.close(1); print('after')", "before\nafter\n"),
    ("import os, ctypes\nos.close(1); _ = ctypes.CDLL(None).puts(b'c'); print('py')", "py\n"),
    ("import os\nos.close(1); os.close(2)\nprint('both')", "both\n"),
    ("import os\nos.close(0)\nprint('none')", "none\n"),
    ("import os\nos.dup2(os.open('/dev/null', 1), 1)\nprint('py')", "py\n"),
    ("import sys\nsys.stdout.close(); print('still')", "still\n"),
    ("import os\nos.close(1)\n!echo shell", "shell\n")])
def test_closed_descriptors(start_kernel, code, output):
    kernel = start_kernel()
    result = kernel.run(code)
    assert result.content["status"] == "ok"
    assert output in result.text().replace("\r\n", "\n")
    assert kernel.run("print('next')").text() == "next\n"


@pytest.mark.parametrize("code", ["1 / 0", "raise SystemExit", "import os; os.write(1, b'raw\\n'); 1 / 0",
                                  "import ctypes; ctypes.CDLL(None).puts(b'c'); 1 / 0", "raise KeyboardInterrupt"])
def test_nothing_before_an_error_is_lost(kernel, code):
    result = kernel.run(f"display('first')\nprint('x' * 3_000_000)\nimport sys; sys.stderr.write('err ')\n{code}")
    assert result.content["status"] == "error"
    assert result.text().startswith("x" * 3_000_000)
    assert "raw" not in code or "raw" in result.text()
    assert "puts" not in code or "c\n" in result.text()
    assert "err " in result.text("stderr")
    types = [t for t in result.types if t != "stream"]
    assert types == ["status", "execute_input", "display_data", "error", "status"]


def test_buffers_with_a_cell_are_ignored(kernel):
    content = {"code": "print('with buffers')", "silent": False}
    result = kernel.ask("execute_request", content, buffers=[b"\0\xff" * 1_000_000] * 3)
    assert result.text() == "with buffers\n"


def test_names_that_the_kernel_uses_are_gone(kernel):
    assert kernel.run("import builtins, sys\nkept = builtins.print, builtins.display, builtins.input\n"
                      "del builtins.print, builtins.display, builtins.input\n1").content["status"] == "ok"
    kernel.run("builtins.print, builtins.display, builtins.input = kept")
    assert kernel.run("saved = sys.stdout\nsys.stdout = None\nprint('x')\nsys.stdout = 5").content["status"] == "ok"
    kernel.run("sys.stdout = saved")
    kernel.run("globals().clear()")
    assert kernel.run("print(1)").text() == "1\n"


def test_a_shell_command_without_terminals(start_kernel, gridcell, tmp_path):
    probe = "mount --bind /dev/null /dev/ptmx"
    if subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c", probe], capture_output=True).returncode:
        pytest.skip("this machine lends no mount namespace")
    wrapper = tmp_path / "wrapper"
    wrapper.write_text(f"#!/bin/sh\nexec unshare --mount --map-root-user sh -c '{probe} && exec \"$0\" \"$@\"' "
                       f"{gridcell} \"$@\"\n")
    wrapper.chmod(0o755)
    kernel = start_kernel(executable=str(wrapper))
    result = kernel.run("!echo one; echo two >&2; exit 3\nprint(_exit_code)")
    assert result.text().replace("\r\n", "\n") == "one\ntwo\n3\n"
    assert kernel.run("lines = !echo captured\nprint(lines)").text() == "['captured']\n"
    start = time.monotonic()
    msg_id = kernel.client.execute("!echo on; sleep 60")
    kernel.wait_for_text("on")
    kernel.manager.interrupt_kernel()
    kernel.receive_reply(msg_id)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("close", [
    "os.closerange(3, 256)",
    "os.closerange(3, 10**6)",
    "for fd in range(3, 100):\n    try: os.close(fd)\n    except OSError: pass",
    "import ctypes; ctypes.CDLL(None).closefrom(3)",
])
def test_the_kernels_descriptors_stay_open(start_kernel, tmp_path, close):
    kernel = start_kernel(env={"GRIDCELL_HISTORY": str(tmp_path / "history.sqlite")})
    kernel.run("import os, subprocess")
    kernel.run(f"own = os.open('/dev/null', os.O_RDONLY)\n{close}")
    result = kernel.run("print('on')\ntry: os.fstat(own)\nexcept OSError: print('closed')\n"
                        "subprocess.run(['echo', 'child'])")
    assert result.text() == "on\nclosed\nchild\n"
    assert kernel.ask("kernel_info_request", {}, channel="control").content["status"] == "ok"
    # a forked child closes what it likes
    result = kernel.run("pid = os.fork()\nif not pid:\n    os.closerange(3, 256)\n"
                        "    print(len(os.listdir('/proc/self/fd')), flush=True)\n"
                        "    os._exit(0)\n_ = os.waitpid(pid, 0)")
    assert result.text() == "4\n"  # the last is the folder's own
    kernel.process.terminate()
    assert b"a cell closed descriptors of the kernel" in kernel.process.stderr.read()


def test_nothing_takes_the_numbers_of_the_kernels_descriptors(start_kernel):
    """They cannot be closed, and no other file comes in their place."""
    kernel = start_kernel()
    kernel.run("import os\nown = os.open('/dev/null', os.O_RDWR)")
    taken = kernel.run("refused = 0\nfor fd in range(3, 100):\n"
                       "    try: os.dup2(own, fd, inheritable=fd % 2)\n"
                       "    except OSError: refused += 1\nprint(refused > 8)")
    assert taken.text() == "True\n"
    assert kernel.run("print('on'); _ = os.system('echo child')").text() == "on\nchild\n"
    assert kernel.ask("kernel_info_request", {}, channel="control").content["status"] == "ok"
    # what is a cell's own it may give away, and standard output, too
    assert kernel.run("import tempfile\nwith tempfile.TemporaryFile() as file:\n"
                      "    kept = os.dup(1)\n    _ = os.dup2(file.fileno(), 1)\n"
                      "    _ = os.system('echo away')\n    _ = os.dup2(kept, 1)\n"
                      "    _ = file.seek(0)\n    print(file.read())").text() == "b'away\\n'\n"


def test_a_file_past_its_limit_is_an_error(start_kernel, tmp_path):
    """As in Python, whose processes ignore SIGXFSZ; what a cell starts gets it back."""
    kernel = start_kernel()
    kernel.run("import resource, subprocess\nhard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]\n"
               "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))")
    content = kernel.run(f"open({str(tmp_path / 'large')!r}, 'wb', buffering=0).write(b'x' * 1000)\n"
                         f"open({str(tmp_path / 'large')!r}, 'ab', buffering=0).write(b'x')").content
    assert content["ename"] == "OSError" and "File too large" in content["evalue"]
    ignored = kernel.run("!grep SigIgn /proc/self/status").text()
    assert not int(ignored.split()[1], 16) >> 24 & 1
    assert kernel.run("print('on')").text() == "on\n"
