"""input() and getpass() over the stdin channel."""
import time


def answer(kernel, code, value, **options):
    msg_id = kernel.client.execute(code, allow_stdin=True, **options)
    request = kernel.client.get_stdin_msg(timeout=20)
    assert request["msg_type"] == "input_request"
    assert request["parent_header"]["msg_id"] == msg_id
    kernel.client.input(value)
    return request["content"], kernel.receive_reply(msg_id), kernel.receive_until_idle(msg_id)


def text_of(messages):
    return "".join(m["content"]["text"] for m in messages if m["msg_type"] == "stream")


def test_input(kernel):
    request, reply, messages = answer(kernel, "print(input('name? '))", "Ada é")
    assert request == {"prompt": "name? ", "password": False}
    assert reply["content"]["status"] == "ok"
    assert text_of(messages) == "Ada é\n"


def test_getpass(kernel):
    request, reply, messages = answer(kernel, "import getpass\nprint(len(getpass.getpass('pw: ')))",
                                      "secret")
    assert request == {"prompt": "pw: ", "password": True}
    assert text_of(messages) == "6\n"


def test_text_before_the_question_is_out(kernel):
    msg_id = kernel.client.execute("print('before')\ninput()", allow_stdin=True)
    kernel.client.get_stdin_msg(timeout=20)
    kernel.wait_for_text("before")
    kernel.client.input("")
    kernel.receive_reply(msg_id)
    kernel.receive_until_idle(msg_id)


def test_end_of_file(kernel):
    _, reply, _ = answer(kernel, "input()", "\x04")
    assert reply["content"]["ename"] == "EOFError"


def test_no_stdin_is_an_error(kernel):
    result = kernel.run("input()", allow_stdin=False)
    assert result.content["ename"] == "StdinNotImplementedError"
    assert "does not support input requests" in result.content["evalue"]


def test_interrupt_while_waiting(kernel):
    msg_id = kernel.client.execute("input()", allow_stdin=True)
    kernel.client.get_stdin_msg(timeout=20)
    start = time.monotonic()
    kernel.manager.interrupt_kernel()
    reply = kernel.receive_reply(msg_id)
    assert reply["content"]["ename"] == "KeyboardInterrupt"
    assert time.monotonic() - start < 1
    assert answer(kernel, "print(input())", "again")[1]["content"]["status"] == "ok"


def test_stale_answers_are_forgotten(kernel):
    kernel.client.input("too early")
    time.sleep(0.1)
    _, _, messages = answer(kernel, "print(input())", "right")
    assert text_of(messages) == "right\n"


def test_reading_stdin_finds_its_end(kernel):
    result = kernel.run("import sys, subprocess\nprint(repr(sys.stdin.readline()))\n"
                        "print(subprocess.run(['cat'], capture_output=True).stdout)")
    assert result.content["status"] == "ok"
