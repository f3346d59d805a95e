"""The user's module, sources of cells, streams, input, and what programs find of their kernel."""
import tempfile
import time

import pytest


def test_main_module(cells):
    assert cells.result("import sys\nvars(sys.modules['__main__']) is globals(), __name__, "
                        "'__file__' in globals(), sys.path[0], __builtins__ is __import__('builtins')") == \
        "(True, '__main__', False, '', True)"


def test_classes_pickle(cells):
    assert cells.result("import pickle\nclass K: a = 5\npickle.loads(pickle.dumps(K())).a") == "5"


def test_environment(cells):
    assert cells.result("import sys\nsys.executable.startswith(sys.prefix)") == "True"


def test_get_ipython(cells):
    assert cells.result("type(get_ipython()), type(get_ipython().kernel)") == \
        "(ipykernel.zmqshell.ZMQInteractiveShell, ipykernel.ipkernel.IPythonKernel)"
    assert cells.result("'IPKernelApp' in get_ipython().config") == "True"
    assert cells.result("import IPython\nfrom IPython.core.interactiveshell import InteractiveShell\n"
                        "IPython.get_ipython() is get_ipython() is InteractiveShell.instance()") == "True"


def test_get_source(cells):
    cells.ok("def double(x):\n    return 2 * x  # twice")
    assert cells.text("import inspect; print(inspect.getsource(double))") == \
        "def double(x):\n    return 2 * x  # twice\n\n"
    assert cells.result("double.__code__.co_filename").startswith(f"'{tempfile.gettempdir()}/ipykernel_")


def test_sources_of_cells_before_linecache_was_imported(start_kernel):
    kernel = start_kernel()
    kernel.run("import sys; had = 'linecache' in sys.modules\ndef early(): pass")
    outcome = kernel.run("import linecache\nlinecache.getline(early.__code__.co_filename, 2), had")
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == \
        "('def early(): pass\\n', False)"


def test_future_imports_last(start_kernel):
    kernel = start_kernel()
    kernel.run("from __future__ import annotations")
    outcome = kernel.run("def f(x: nosuchname): pass\nf.__annotations__")
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == "{'x': 'nosuchname'}"


def test_output_of_c_code_in_order(cells):
    outcome = cells.ok("import os, sys, ctypes\nprint('one')\nsys.stdout.flush()\n"
                       "os.write(1, b'two\\n')\nos.system('echo three')\n"
                       "c = ctypes.CDLL(None); c.printf(b'four\\n'); c.fflush(None);")
    assert sorted(outcome.text().split()) == ["four", "one", "three", "two"]


def test_stream_interface(cells):
    assert cells.result("import sys\n(sys.stdout.isatty(), sys.stdout.encoding, sys.stdout.name, "
                        "sys.stdout.writable(), sys.stdout.readable(), sys.stdout.closed, "
                        "type(sys.stdout.fileno()))") == \
        "(False, 'UTF-8', 'stdout', True, False, False, int)"
    assert cells.text("sys.stdout.buffer.write('é'.encode()); sys.stdout.writelines(['a', 'b'])") == "éab"
    assert "write() argument must be str, not bytes" in cells.traceback("sys.stdout.write(b'x')")
    assert cells.text("import io; isinstance(sys.stdout, io.TextIOBase) and print('yes')") == "yes\n"


def test_lone_surrogates(cells):
    assert cells.text("print('\\ud800')") == "\\ud800\n"


def test_redirection(cells):
    assert cells.text("import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()) as f:\n"
                      "    print('inside')\nprint(repr(f.getvalue()))") == "'inside\\n'\n"


def test_subprocess_gets_a_real_descriptor(cells):
    cells.ok("import subprocess, sys\nsubprocess.run(['true'], stdout=sys.stdout, check=True)")


def answer(kernel, code, value, **options):
    msg_id = kernel.client.execute(code, **options)
    request = kernel.client.get_stdin_msg(timeout=10)
    kernel.client.input(value)
    kernel.receive_reply(msg_id)
    return request["content"], kernel.receive_until_idle(msg_id)


def test_input(kernel):
    content, messages = answer(kernel, "v = input('name? ')\nprint(v)", "bob")
    assert content == {"prompt": "name? ", "password": False}
    assert any(m["content"].get("text") == "bob\n" for m in messages)


def test_getpass(kernel):
    content, messages = answer(kernel, "import getpass; getpass.getpass('pw: ')", "s3")
    assert content == {"prompt": "pw: ", "password": True}
    assert any(m["content"].get("data") == {"text/plain": "'s3'"} for m in messages)


def test_end_of_input(kernel):
    content, messages = answer(kernel, "input()", "\x04")
    assert any(m["content"].get("ename") == "EOFError" for m in messages)


def test_input_not_allowed(cells):
    outcome = cells.run("input('x')", allow_stdin=False)
    assert outcome.content["ename"] == "StdinNotImplementedError"
    assert outcome.content["evalue"] == \
        "raw_input was called, but this frontend does not support input requests."


def test_await(cells):
    assert cells.result("import asyncio\nawait asyncio.sleep(0.01)\n9") == "9"
    assert cells.result("async def f(): return 5\nawait f()") == "5"
    assert cells.text("async def agen():\n    yield 1\nasync for i in agen():\n    print(i)") == "1\n"


def test_asyncio_run_is_refused_as_elsewhere(cells):
    assert "asyncio.run() cannot be called from a running event loop" in cells.traceback(
        "import asyncio\nasync def f(): pass\nasyncio.run(f())")


def test_tasks_go_on_between_cells(cells):
    cells.ok("import asyncio\ndone = []\nasync def work():\n    await asyncio.sleep(0.05)\n"
             "    done.append(1)\ntask = asyncio.create_task(work())")
    time.sleep(0.5)
    assert cells.result("done") == "[1]"


def test_interrupted_await(kernel):
    msg_id = kernel.client.execute("import asyncio\nprint('go')\nawait asyncio.sleep(60)")
    kernel.wait_for_text("go")
    kernel.manager.interrupt_kernel()
    assert kernel.receive_reply(msg_id)["content"]["ename"] == "KeyboardInterrupt"


@pytest.mark.parametrize("code", ["import time\nprint('go')\ntime.sleep(60)",
                                  "print('go')\nwhile True: pass"])
def test_interrupts(kernel, code):
    msg_id = kernel.client.execute(code)
    kernel.wait_for_text("go")
    kernel.manager.interrupt_kernel()
    assert kernel.receive_reply(msg_id)["content"]["ename"] == "KeyboardInterrupt"
    assert kernel.run("1").content["status"] == "ok"


def test_users_own_signal_handler(cells):
    assert cells.text("import signal, os, time\nold = signal.signal(signal.SIGINT, lambda *a: print('mine'))\n"
                      "os.kill(os.getpid(), signal.SIGINT); time.sleep(0.01)\n"
                      "signal.signal(signal.SIGINT, old);") == "mine\n"


def test_source_with_nul(cells):
    assert cells.run("a\0b").content["ename"] in ("SyntaxError", "ValueError")


def test_a_large_cell(cells):
    assert cells.result("\n".join(f"v = {i}" for i in range(20000)) + "\nv") == "19999"


def test_set_next_input(cells):
    reply = cells.ok("ip = get_ipython()\nip.set_next_input('a'); ip.set_next_input('b', replace=True)").content
    assert reply["payload"] == [{"source": "set_next_input", "text": "b", "replace": True}]


def test_events(cells):
    cells.ok("log = []\ndef before(info): log.append(info.raw_cell)\ndef after(result): log.append(result.success)\n"
             "get_ipython().events.register('pre_run_cell', before)\n"
             "get_ipython().events.register('post_run_cell', after)")
    cells.ok("5")
    assert cells.result("get_ipython().events.unregister('pre_run_cell', before)\n"
                        "get_ipython().events.unregister('post_run_cell', after)\nlog[1:3]") == "['5', True]"


def test_exit_asks_the_front_end(start_kernel):
    kernel = start_kernel()
    reply = kernel.run("exit(True)").content
    assert reply["payload"] == [{"source": "ask_exit", "keepkernel": True}]


@pytest.mark.parametrize("mode, code, shown", [
    ("all", "1\n2", ["1", "2"]), ("none", "1", []), ("last_expr_or_assign", "a = 5", ["5"]),
    ("last", "if True:\n    6", ["6"]), ("last_expr", "if True:\n    6", [])])
def test_which_values_are_shown(cells, mode, code, shown):
    cells.ok(f"get_ipython().ast_node_interactivity = {mode!r}")
    results = cells.ok(code).contents("execute_result")
    cells.ok("get_ipython().ast_node_interactivity = 'last_expr'")
    assert [content["data"]["text/plain"] for content in results] == shown


def test_counts(cells):
    count = cells.ok("1").content["execution_count"]
    for options in ({"store_history": False}, {"silent": True}):
        outcome = cells.ok("5", **options)
        assert outcome.content["execution_count"] == count
        assert all(c["execution_count"] == count for c in outcome.contents("execute_result"))
    assert cells.result(f"{count} in Out, {count + 1} in Out") == "(True, False)"


def test_silence(cells):
    outcome = cells.ok("print('streams flow'); 5", silent=True)
    assert outcome.types == ["status", "stream", "status"]


def test_old_results_are_dropped(cells):
    cells.ok("for i in range(-2000, -2000 + 1000 - len(Out)): Out[i] = i")
    cells.ok("7")
    assert cells.result("len(Out) < 900") == "True"


def test_names_of_results_go_with_them(cells):
    """An interned name stays for good in Python 3.12."""
    cells.ok("import sys")
    cells.ok("40 + 2")
    assert cells.result("[name is sys.intern('_' + name[1:]) for name in list(globals()) if name[1:].isdigit() and "
                        "globals()[name] == 42]") == "[False]"


def test_names_that_programs_look_for(start_kernel):
    kernel = start_kernel()
    outcome = kernel.run("import sys\n'IPython' in sys.modules, 'ipykernel.zmqshell' in sys.modules, "
                         "'gridcell' in sys.modules")
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == "(True, True, False)"
    outcome = kernel.run("import IPython, ipykernel\nIPython.display.display(IPython.display.HTML('x'))\n"
                         "IPython.core.display.HTML is IPython.display.HTML, "
                         "int(ipykernel.__version__.split('.')[0]) >= 6, "
                         "IPython.version_info >= (8, 24)")
    assert outcome.contents("display_data")[0]["data"]["text/html"] == "x"
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == "(True, True, True)"


def test_modules_of_an_installed_ipython(cells):
    try:
        import IPython  # noqa: F401
    except ImportError:
        pytest.skip("IPython is not installed")
    assert cells.result("from IPython.utils.ipstruct import Struct\nStruct(a=1).a") == "1"
