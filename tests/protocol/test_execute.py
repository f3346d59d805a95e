"""execute_request: order of the messages, counters, options."""
from datetime import datetime, timedelta, timezone

import pytest


def test_order_of_messages(kernel):
    result = kernel.run("print('out')\n1 + 1")
    assert result.types == ["status", "execute_input", "stream", "execute_result", "status"]
    assert result.messages[0]["content"] == {"execution_state": "busy"}
    assert result.messages[-1]["content"] == {"execution_state": "idle"}
    count = result.content["execution_count"]
    assert result.contents("execute_input") == [
        {"code": "print('out')\n1 + 1", "execution_count": count}]
    assert result.contents("execute_result")[0]["data"] == {"text/plain": "2"}
    assert result.contents("execute_result")[0]["execution_count"] == count
    assert result.content["status"] == "ok"
    assert result.content["payload"] == []
    assert result.content["user_expressions"] == {}


def test_one_session_and_version_everywhere(kernel):
    result = kernel.run("1")
    headers = [message["header"] for message in [result.reply, *result.messages]]
    assert len({header["session"] for header in headers}) == 1
    assert {header["version"] for header in headers} == {"5.5"}
    assert len({header["msg_id"] for header in headers}) == len(headers)


def test_reply_metadata_says_when_it_started(kernel):
    metadata = kernel.run("1").reply["metadata"]
    assert metadata["started"]
    assert metadata["status"] == "ok"
    assert metadata["dependencies_met"] is True


def test_execution_count_rises_by_one(kernel):
    first = kernel.run("pass").content["execution_count"]
    assert kernel.run("pass").content["execution_count"] == first + 1


def test_store_history_false_does_not_count(kernel):
    before = kernel.run("pass").content["execution_count"]
    kernel.run("pass", store_history=False)
    assert kernel.run("pass").content["execution_count"] == before + 1


def test_silent_shows_no_input_and_no_result(kernel):
    before = kernel.run("pass").content["execution_count"]
    result = kernel.run("print('heard')\n1", silent=True, store_history=False)
    assert result.types == ["status", "stream", "status"]
    assert kernel.run("pass").content["execution_count"] == before + 1


def test_user_expressions(kernel):
    result = kernel.run("x = 20", user_expressions={"good": "x + 1", "bad": "nothing_such"})
    expressions = result.content["user_expressions"]
    assert result.content["status"] == "ok"
    assert expressions["good"]["status"] == "ok"
    assert expressions["good"]["data"]["text/plain"] == "21"
    assert expressions["bad"]["status"] == "error"
    assert expressions["bad"]["ename"] == "NameError"


def test_error_in_reply_and_on_iopub(kernel):
    result = kernel.run("1 / 0")
    assert result.types == ["status", "execute_input", "error", "status"]
    error = result.contents("error")[0]
    assert result.content["status"] == "error"
    for name in ("ename", "evalue", "traceback"):
        assert result.content[name] == error[name]
    assert error["ename"] == "ZeroDivisionError"
    assert error["evalue"] == "division by zero"
    assert result.content["execution_count"] > 0


def test_error_while_displaying_is_an_error(kernel):
    result = kernel.run("class Bad:\n    def __repr__(self):\n        raise RuntimeError('no')\nBad()")
    assert result.content["status"] == "error"
    assert result.content["ename"] == "RuntimeError"


@pytest.mark.parametrize("code", ["", "   \n"])
def test_blank_cell_does_not_count(kernel, code):
    before = kernel.run("pass").content["execution_count"]
    assert kernel.run(code).content["status"] == "ok"
    assert kernel.run("pass").content["execution_count"] == before + 1


def queue_after(kernel, first, second_type="execute_request", **options):
    """Sends a cell that takes a while, then two more requests; their replies."""
    content = {"code": "pass", "silent": False, "cursor_pos": 0}
    ids = [kernel.client.execute(first, **options)]
    ids += [kernel.send(second_type, content) for _ in range(2)]
    return [kernel.receive_reply(msg_id)["content"] for msg_id in ids], ids


FAILING = "import time\ntime.sleep(0.2)\nraise ValueError"


def test_stop_on_error_aborts_what_is_queued(kernel):
    replies, ids = queue_after(kernel, FAILING)
    assert [reply["status"] for reply in replies] == ["error", "aborted", "aborted"]
    # a count would stand beside a cell that never ran
    assert ["execution_count" in reply for reply in replies] == [True, False, False]
    for msg_id in ids[1:]:
        states = [m["content"]["execution_state"] for m in kernel.receive_until_idle(msg_id)]
        assert states == ["busy", "idle"]


def test_after_an_abort_cells_run_again(kernel):
    queue_after(kernel, FAILING)
    for _ in range(20):
        assert kernel.run("1").content["status"] == "ok"


def test_a_request_sent_after_the_error_reply_runs(kernel):
    for _ in range(20):
        assert kernel.run("raise ValueError").content["status"] == "error"
        assert kernel.run("pass").content["status"] == "ok"


def run_as_notebook(kernel, code, sent, **metadata):
    """Runs a cell whose message says when the front end sent it."""
    content = {"code": code, "silent": False, "store_history": True, "stop_on_error": True}
    message = kernel.client.session.msg("execute_request", content, metadata=metadata)
    message["header"]["date"] = sent
    kernel.client.session.send(kernel.client.shell_channel.socket, message)
    return kernel.receive_reply(message["header"]["msg_id"])["content"]["status"]


def test_cells_sent_before_the_error_was_seen_are_aborted(kernel):
    start = datetime.now(timezone.utc)

    def run(code, milliseconds, **metadata):
        return run_as_notebook(kernel, code, start + timedelta(milliseconds=milliseconds),
                               **metadata)

    assert run("raise ValueError", 0, cellId="a") == "error"
    assert run("1", 2, cellId="b") == "aborted"
    assert run("1", 40, cellId="c") == "aborted"
    assert run("1", 45) == "ok"  # no notebook's cell: its sender waits for replies
    assert run("1", 5000, cellId="d") == "ok"


def test_stop_on_error_false_aborts_nothing(kernel):
    replies, _ = queue_after(kernel, FAILING, stop_on_error=False)
    assert [reply["status"] for reply in replies] == ["error", "ok", "ok"]


def test_other_requests_are_not_aborted(kernel):
    replies, _ = queue_after(kernel, FAILING, "complete_request")
    assert [reply["status"] for reply in replies] == ["error", "ok", "ok"]


def test_many_queued_cells_keep_their_order(kernel):
    kernel.run("seen = []")
    ids = [kernel.client.execute(f"seen.append({i})") for i in range(200)]
    for msg_id in ids:
        assert kernel.receive_reply(msg_id)["content"]["status"] == "ok"
    result = kernel.run("seen == list(range(200))")
    assert result.contents("execute_result")[0]["data"]["text/plain"] == "True"


def test_missing_fields_have_defaults(kernel):
    result = kernel.ask("execute_request", {"code": "print('small')"})
    assert result.content["status"] == "ok"
    assert result.text() == "small\n"


def test_execute_without_code_is_an_error(kernel):
    for content in ({}, {"code": 5}, {"code": None}):
        result = kernel.ask("execute_request", content)
        assert result.content["status"] == "error"
    assert kernel.run("1").content["status"] == "ok"


def test_nul_and_lone_surrogates_survive(kernel):
    result = kernel.run("print('a\\0b', '\\ud800', 'é😀')")
    assert result.content["status"] == "ok"
    assert result.text().startswith("a\0b ")
    assert "é😀" in result.text()


def test_a_cell_knows_its_request(kernel):
    msg_id = kernel.client.execute(
        "kernel = get_ipython().kernel\nparent = kernel.get_parent('shell')\n"
        "print(parent['header']['msg_id'], kernel._parent_ident['shell'][0].decode())")
    kernel.receive_reply(msg_id)
    text = "".join(m["content"].get("text", "") for m in kernel.receive_until_idle(msg_id))
    assert text.split() == [msg_id, kernel.client.session.session]
