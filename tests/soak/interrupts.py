"""Interrupts at random moments: the cell ends, the next one is not struck, and its value is right."""
import queue
import time

from session import Lost
from works import SETUP, WORKS

ANSWER_SECONDS = 5  # within which an interrupted cell must have ended
LATEST = 0.25       # seconds after its begin, at which a cell is interrupted


def prepared(soak):
    session = soak.session(env={"NUMBA_NUM_THREADS": "2"})
    session.ok(SETUP, timeout=120)
    return session


def end_of(session, msg_id):
    """The status of the cell within the time; None: it goes on."""
    end = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < end:
        try:
            reply = session.receive_reply(msg_id, timeout=ANSWER_SECONDS)["content"]
            return reply.get("ename", reply["status"])
        except queue.Empty:
            pass
    return None


def interrupt_once(session, work, moment, asks):
    """What went wrong, or None."""
    name, code, expression, expected = work
    session.client.allow_stdin = name == "input"
    msg_id = session.client.execute(code, store_history=False, allow_stdin=name == "input")
    session.wait_until_busy(msg_id)
    time.sleep(moment / 2)
    if asks:
        session.client.complete("np.lin", 6)
    time.sleep(moment / 2)
    session.interrupt()
    status = end_of(session, msg_id)
    if status not in ("KeyboardInterrupt", "ok"):
        return f"{name} after {moment:.3f} s: {status or 'goes on'}"
    session.receive_until_idle(msg_id, 20)
    outcome = session.run(f"_checked = {expression}", store_history=False)
    if outcome.content["status"] != "ok":
        return f"{name} after {moment:.3f} s: the next cell was struck by {outcome.content['ename']}"
    value = session.value("_checked")
    return None if value == expected else f"{name} after {moment:.3f} s: {expression} gave {value}"


def interrupts(soak, report):
    """All kinds of work in turn, each at another moment; every third while a completion is asked for."""
    count, choice = soak.count(1_000, quick=2 * len(WORKS) // 3), soak.random()
    wrong = lost = done = 0
    session = prepared(soak)
    order = choice.sample(WORKS, len(WORKS))
    for n in soak.turns(0, count):
        done += 1
        moment = choice.random() ** 2 * (0.03 if soak.is_quick else LATEST)
        try:
            problem = interrupt_once(session, order[n % len(order)], moment, asks=n % 3 == 0)
        except (Lost, queue.Empty) as error:
            problem = f"{order[n % len(order)][0]} after {moment:.3f} s: lost: {error}"
        if not problem:
            continue
        report.failure(problem)
        wrong += 1
        if "lost" in problem or "goes on" in problem:
            lost += 1
            session.close()
            session = prepared(soak)
    session.close()
    report.tell(f"{done:,} interrupts of {len(WORKS)} kinds of work")
    report.figure("wrong", wrong, "", 0)
    report.figure("sessions lost", lost, "", 0)
