"""Subshells: threads that serve requests beside the main one; and questions while a cell runs."""
import os
import queue
import time

import pytest

from test_parents import collect


class Subshells:
    def __init__(self, kernel):
        self.kernel = kernel

    def ask(self, action, **content):
        return self.kernel.ask(f"{action}_subshell_request", content, "control").content

    def create(self):
        reply = self.ask("create")
        assert reply["status"] == "ok"
        return reply["subshell_id"]

    def list(self):
        reply = self.ask("list")
        assert reply["status"] == "ok"
        return reply["subshell_id"]

    def send(self, subshell_id, msg_type, content, **options):
        message = self.kernel.client.session.msg(msg_type, content)
        message["header"]["subshell_id"] = subshell_id
        self.kernel.client.session.send(self.kernel.client.shell_channel.socket, message, **options)
        return message["header"]["msg_id"]

    def execute(self, subshell_id, code, **options):
        return self.send(subshell_id, "execute_request", {"code": code, **options})


@pytest.fixture
def subshells(kernel):
    made = Subshells(kernel)
    yield made
    for subshell_id in made.list():
        made.ask("delete", subshell_id=subshell_id)


def wait_for_threads(kernel, count, timeout=3):
    end = time.monotonic() + timeout
    while len(os.listdir(f"/proc/{kernel.pid}/task")) > count and time.monotonic() < end:
        time.sleep(0.05)
    return len(os.listdir(f"/proc/{kernel.pid}/task"))


def test_announced(kernel):
    assert "kernel subshells" in kernel.ask("kernel_info_request", {}).content["supported_features"]


def test_create_list_delete(kernel, subshells):
    kernel.run("1")
    before = wait_for_threads(kernel, 5)
    assert before <= 5
    assert subshells.list() == []
    made = [subshells.create() for _ in range(3)]
    assert len(set(made)) == 3
    assert subshells.list() == made
    assert subshells.ask("delete", subshell_id=made[1]) == {"status": "ok"}
    assert subshells.list() == [made[0], made[2]]
    for subshell_id in (made[1], "nobody", None, 5):
        reply = subshells.ask("delete", subshell_id=subshell_id)
        assert (reply["status"], reply["ename"]) == ("error", "UnknownSubshellError")
    assert subshells.ask("delete")["status"] == "error"
    for subshell_id in (made[0], made[2]):
        subshells.ask("delete", subshell_id=subshell_id)
    assert wait_for_threads(kernel, before) == before


def test_a_subshell_runs_beside_the_main_cell(kernel, subshells):
    sub = subshells.create()
    kernel.run("import threading, time; go = threading.Event()")
    main = kernel.client.execute("print('main waits'); go.wait(10); print('main goes on')")
    time.sleep(0.1)
    beside = subshells.execute(sub, "print('beside'); go.set(); threading.current_thread() is "
                                    "threading.main_thread()")
    replies = [kernel.client.get_shell_msg(timeout=10) for _ in range(2)]
    assert {reply["parent_header"]["msg_id"] for reply in replies} == {main, beside}
    assert all(reply["content"]["status"] == "ok" for reply in replies)
    counts = {r["parent_header"]["msg_id"]: r["content"]["execution_count"] for r in replies}
    assert counts[beside] == counts[main] + 1
    assert replies[0]["parent_header"].get("subshell_id") in (sub, None)


def test_output_belongs_to_its_request(kernel, subshells):
    subs = [subshells.create() for _ in range(2)]
    code = ("import time, sys\nfor i_{0} in range(5):\n    time.sleep(0.02); print({0!r}, i_{0})\n"
            "    sys.stderr.write({0!r} + '\\n')\ndisplay({0!r})\n{0!r}")
    ids = [kernel.client.execute(code.format("main"))]
    ids += [subshells.execute(sub, code.format(f"sub{n}")) for n, sub in enumerate(subs)]
    seen = {msg_id: [] for msg_id in ids}
    while not all(any(m["content"].get("execution_state") == "idle" for m in seen[i]) for i in ids):
        message = kernel.client.get_iopub_msg(timeout=10)
        if message["parent_header"].get("msg_id") in seen:
            seen[message["parent_header"]["msg_id"]].append(message)
    replies = [kernel.client.get_shell_msg(timeout=10) for _ in ids]
    assert {reply["parent_header"]["msg_id"] for reply in replies} == set(ids)
    for msg_id, name in zip(ids, ("main", "sub0", "sub1")):
        text = "".join(m["content"]["text"] for m in seen[msg_id] if m["msg_type"] == "stream"
                       and m["content"]["name"] == "stdout")
        assert text == "".join(f"{name} {i}\n" for i in range(5))
        shown = [m["content"]["data"]["text/plain"] for m in seen[msg_id]
                 if m["msg_type"] in ("display_data", "execute_result")]
        assert shown == [repr(name)] * 2
        assert seen[msg_id][0]["content"] == {"execution_state": "busy"}


def test_counts_are_shared_and_unique(kernel, subshells):
    sub = subshells.create()
    first = kernel.run("pass").content["execution_count"]
    reply = kernel.receive_reply(subshells.execute(sub, "'in the subshell'"))
    assert reply["content"]["execution_count"] == first + 1
    assert kernel.run(f"print(Out[{first + 1}], In[{first + 1}])").text() == (
        "in the subshell 'in the subshell'\n")


def test_errors_abort_what_is_queued_in_the_same_subshell(kernel, subshells):
    sub = subshells.create()
    failing = subshells.execute(sub, "import time; time.sleep(0.2); 1 / 0", stop_on_error=True)
    queued = subshells.execute(sub, "print('never')")
    other = kernel.run("'main'")
    assert other.content["status"] == "ok"
    assert kernel.receive_reply(failing)["content"]["ename"] == "ZeroDivisionError"
    assert kernel.receive_reply(queued)["content"]["status"] == "aborted"
    assert kernel.receive_reply(subshells.execute(sub, "1"))["content"]["status"] == "ok"


def test_an_interrupt_is_the_main_cells(kernel, subshells):
    sub = subshells.create()
    beside = subshells.execute(sub, "import time; time.sleep(0.6); done = True")
    main = kernel.client.execute("import time; print('on', flush=True); time.sleep(60)")
    kernel.wait_for_text("on")
    kernel.manager.interrupt_kernel()
    replies = {}
    for _ in range(2):
        reply = kernel.client.get_shell_msg(timeout=10)
        replies[reply["parent_header"]["msg_id"]] = reply["content"]
    assert replies[main]["ename"] == "KeyboardInterrupt"
    assert replies[beside]["status"] == "ok"


def test_unknown_subshell(kernel, subshells):
    for msg_type, reply_type in (("execute_request", "execute_reply"),
                                 ("complete_request", "complete_reply")):
        msg_id = subshells.send("nobody", msg_type, {"code": "1"})
        reply = kernel.receive_reply(msg_id)
        assert (reply["msg_type"], reply["content"]["ename"]) == (reply_type, "UnknownSubshellError")
        assert [m["msg_type"] for m in kernel.receive_until_idle(msg_id)] == ["status", "status"]
    kernel.receive_until_idle(subshells.send("nobody", "comm_msg", {"comm_id": "x", "data": {}}))


def test_a_deleted_subshell_finishes_its_cell(kernel, subshells):
    sub = subshells.create()
    running = subshells.execute(sub, "import time; time.sleep(0.4); 'finished'")
    queued = subshells.execute(sub, "'never'")
    time.sleep(0.1)
    assert subshells.ask("delete", subshell_id=sub)["status"] == "ok"
    assert kernel.receive_reply(running)["content"]["status"] == "ok"
    assert kernel.receive_reply(queued)["content"]["status"] == "aborted"


def test_input_in_a_subshell(kernel, subshells):
    sub = subshells.create()
    main = kernel.client.execute("import time; time.sleep(0.5)")
    msg_id = subshells.execute(sub, "print('hello', input('name? '))", allow_stdin=True)
    question = kernel.client.get_stdin_msg(timeout=10)
    assert question["content"]["prompt"] == "name? "
    assert question["parent_header"]["msg_id"] == msg_id
    kernel.client.input("there")
    kernel.wait_for_text("hello there")
    replies = [kernel.client.get_shell_msg(timeout=10) for _ in range(2)]
    assert {r["parent_header"]["msg_id"] for r in replies} == {main, msg_id}


def test_await_and_comms_in_a_subshell(kernel, subshells):
    sub = subshells.create()
    kernel.run("from comm import get_comm_manager\n"
               "def opened(comm, message): comm.on_msg(lambda m: comm.send({'back': m['content']['data']}))\n"
               "get_comm_manager().register_target('mirror', opened)")
    main = kernel.client.execute("import time; time.sleep(1)")
    opening = subshells.send(sub, "comm_open", {"comm_id": "s1", "target_name": "mirror", "data": {}})
    kernel.receive_until_idle(opening)
    asking = subshells.send(sub, "comm_msg", {"comm_id": "s1", "data": {"n": 1}})
    answers = [m for m in kernel.receive_until_idle(asking) if m["msg_type"] == "comm_msg"]
    assert answers[0]["content"]["data"] == {"back": {"n": 1}}
    waiting = subshells.execute(sub, "import asyncio\nawait asyncio.sleep(0.05)\nprint('awaited')")
    first = kernel.client.get_shell_msg(timeout=10)
    assert first["parent_header"]["msg_id"] == waiting
    assert first["content"]["status"] == "ok"
    kernel.receive_reply(main)


def test_an_answer_over_a_comm_reaches_who_asked(kernel, subshells):
    sub = subshells.create()
    kernel.run("import asyncio, threading\nfrom comm import create_comm")
    kernel.receive_reply(subshells.execute(sub, "made = create_comm(target_name='asker')"))
    asking = kernel.client.execute(
        "answer, asker = asyncio.get_running_loop().create_future(), threading.get_ident()\n"
        "made.on_msg(lambda m: answer.set_result((m['content']['data'], threading.get_ident() == asker)))\n"
        "made.send({'method': 'custom', 'content': {'id': 'q1', 'operation': 'get'}})\n"
        "data, is_same_thread = await asyncio.wait_for(answer, 5)\n"
        "assert data['content']['value'] == 42 and is_same_thread")
    question = kernel.client.get_iopub_msg(timeout=10)
    while question["msg_type"] != "comm_msg":
        question = kernel.client.get_iopub_msg(timeout=10)
    content = {"comm_id": question["content"]["comm_id"],
               "data": {"method": "custom", "content": {"id": "q1", "value": 42}}}
    subshells.send(sub, "comm_msg", content)
    assert kernel.receive_reply(asking)["content"]["status"] == "ok"
    kernel.receive_until_idle(asking)
    # what answers no question goes where the front end says
    kernel.run("threads = []\nmade.on_msg(lambda m: threads.append(threading.current_thread()))")
    kernel.receive_until_idle(subshells.send(sub, "comm_msg", content))
    assert kernel.run("print(threads[0] is threading.main_thread())").text() == "False\n"


def test_threads_of_a_subshells_cell(kernel, subshells):
    sub = subshells.create()
    msg_id = subshells.execute(
        sub, "import threading, time\n"
        "def work():\n    time.sleep(0.2); print('late')\nthreading.Thread(target=work).start()")
    kernel.receive_reply(msg_id)
    other = kernel.client.execute("1")
    kernel.receive_reply(other)
    assert collect(kernel, [msg_id, other], 0.8)[msg_id] == "late\n"


def test_programs_of_a_subshell_can_be_interrupted(kernel, subshells):
    """The mask of the kernel's own threads is not handed down."""
    sub = subshells.create()
    msg_id = subshells.execute(
        sub, "import subprocess\nprint(subprocess.run(['grep', 'SigBlk', '/proc/self/status'], "
             "capture_output=True, text=True).stdout.split()[1])")
    assert int(kernel.wait_for_text("0000")["content"]["text"], 16) == 0
    kernel.receive_reply(msg_id)


QUESTIONS = [("complete_request", {"code": "known_na", "cursor_pos": 8}),
             ("inspect_request", {"code": "known_name", "cursor_pos": 5, "detail_level": 0}),
             ("is_complete_request", {"code": "for i in x:"}),
             ("history_request", {"hist_access_type": "tail", "n": 2, "output": False, "raw": True}),
             ("comm_info_request", {})]

BUSY = {"sleep": "import time; print('on', flush=True); time.sleep(3)",
        "loop": "import time; print('on', flush=True)\nend = time.time() + 3\nwhile time.time() < end: pass"}


@pytest.mark.parametrize("busy", BUSY)
@pytest.mark.parametrize("way", ["control", "subshell", "shell"])
def test_questions_while_a_cell_runs(kernel, subshells, busy, way):
    sub = subshells.create()
    kernel.run("known_name = 5")
    main = kernel.client.execute(BUSY[busy])
    kernel.wait_for_text("on")
    start = time.monotonic()
    if way == "subshell":
        ids = [subshells.send(sub, *question) for question in QUESTIONS]
    else:
        ids = [kernel.send(*question, way) for question in QUESTIONS]
    channel = "control" if way == "control" else "shell"
    for msg_id, (msg_type, content) in zip(ids, QUESTIONS):
        reply = kernel.receive_reply(msg_id, channel)
        assert reply["msg_type"] == msg_type.replace("request", "reply")
        if msg_type == "complete_request":
            assert "known_name" in reply["content"]["matches"]
        elif msg_type == "inspect_request":
            assert reply["content"]["found"]
        elif msg_type == "is_complete_request":
            assert reply["content"]["status"] == "incomplete"
        elif msg_type == "history_request":
            assert len(reply["content"]["history"]) == 2
        else:
            assert reply["content"]["status"] == "ok"
    assert time.monotonic() - start < 2.5
    with pytest.raises(queue.Empty):
        kernel.client.get_shell_msg(timeout=0.05)  # the cell runs on
    kernel.client.get_shell_msg(timeout=10)
    assert main


@pytest.mark.parametrize("busy", BUSY)
def test_questions_beside_a_cell_wait_for_nothing(kernel, busy):
    kernel.run("known_name = 5")
    kernel.client.execute(BUSY[busy])
    kernel.wait_for_text("on")
    time.sleep(0.3)
    start = time.monotonic()
    for question in QUESTIONS:
        kernel.receive_reply(kernel.send(*question))
    assert time.monotonic() - start < 1  # a quarter of a second each would be more
    kernel.client.get_shell_msg(timeout=10)


def test_questions_keep_their_place_behind_short_cells(kernel):
    cell = kernel.client.execute("import time; time.sleep(0.05); made_by_the_cell = 1")
    question = kernel.send("complete_request", {"code": "made_by", "cursor_pos": 7})
    replies = [kernel.client.get_shell_msg(timeout=10) for _ in range(2)]
    assert [r["parent_header"]["msg_id"] for r in replies] == [cell, question]
    assert replies[1]["content"]["matches"] == ["made_by_the_cell"]


def test_shutdown_with_subshells(start_kernel):
    kernel = start_kernel()
    subshells = Subshells(kernel)
    for code in ("import time; time.sleep(60)", "while True: pass", "pass"):
        subshells.execute(subshells.create(), code)
    kernel.run("import atexit; atexit.register(lambda: open('/proc/self/comm').read())")
    start = time.monotonic()
    assert kernel.ask("shutdown_request", {"restart": False}, "control").content["status"] == "ok"
    assert kernel.process.wait(5) == 0
    assert time.monotonic() - start < 2.5
