"""Workers that take numbers of cases and say what differs. A worker is a fork of the first process, which has
everything imported and has touched no device: a new one costs nothing, so each leaves after some cases, and one
that dies or hangs takes only its own case with it."""
import json
import mmap
import os
import select
import signal
import struct
import time
import traceback

from cases import Case

CASES_OF_A_WORKER = {"program": 300, "kernel": 400}
HANG_SECONDS = 60
ENTRY = struct.Struct("=qqd")  # kind, number, begin of the case in hand; kind -1: none


class Crew:
    def __init__(self, seed, kinds, jobs, until, report):
        self.seed, self.jobs, self.until, self.report = seed, jobs, until, report
        self.kinds = list(kinds)                    # names
        self.wanted = dict(kinds)                   # by name: how many
        self.next = dict.fromkeys(self.kinds, 0)
        self.done = dict.fromkeys(self.kinds, 0)
        self.table = mmap.mmap(-1, ENTRY.size * jobs)
        self.workers = {}                           # place: (pid, pipe for numbers, pipe of findings, kind)
        self.buffers = {}

    def work(self):
        """All cases, or those that fit into the time."""
        while True:
            for place in range(self.jobs):
                if place not in self.workers:
                    self.start(place)
            if not self.workers:
                return
            self.listen()
            self.end_the_hung()

    def start(self, place):
        kind = next((kind for kind in self.kinds if self.next[kind] < self.wanted[kind]), None)
        if kind is None or time.time() > self.until:
            return
        first = self.next[kind]
        last = min(first + CASES_OF_A_WORKER[kind], self.wanted[kind])
        self.next[kind] = last
        self.fork(place, kind, first, last)

    def fork(self, place, kind, first, last):
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            code = 1
            try:
                self.serve(place, kind, first, last, writing)
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        os.close(writing)
        self.workers[place] = (pid, reading, kind, last)
        self.buffers[place] = b""

    def serve(self, place, kind, first, last, writing):
        for number in range(first, last):
            if time.time() > self.until:
                return
            self.table[place * ENTRY.size:(place + 1) * ENTRY.size] = ENTRY.pack(
                self.kinds.index(kind), number, time.time())
            found = judged(kind, f"{self.seed}:{number}")
            line = json.dumps([number, *found] if found else [number]) + "\n"
            os.write(writing, line.encode())
        self.table[place * ENTRY.size:(place + 1) * ENTRY.size] = ENTRY.pack(-1, 0, 0.0)

    def listen(self):
        pipes = {worker[1]: place for place, worker in self.workers.items()}
        for pipe in select.select(list(pipes), [], [], 1.0)[0]:
            place = pipes[pipe]
            data = os.read(pipe, 1 << 16)
            self.buffers[place] += data
            *lines, self.buffers[place] = self.buffers[place].split(b"\n")
            for line in lines:
                self.count(self.workers[place][2], json.loads(line))
            if not data:
                self.bury(place)

    def count(self, kind, found):
        self.done[kind] += 1
        if len(found) > 1:
            self.report(kind, *found)

    def bury(self, place):
        """A worker has ended. If it left a case unfinished, that is a finding, and another goes on behind it."""
        pid, pipe, kind, last = self.workers.pop(place)
        os.close(pipe)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if status == 0:
            return
        number = ENTRY.unpack(self.table[place * ENTRY.size:(place + 1) * ENTRY.size])[1]
        self.count(kind, [number, "hangs" if status == -signal.SIGKILL else f"dies: {status}", ""])
        if number + 1 < last:
            self.fork(place, kind, number + 1, last)

    def end_the_hung(self):
        for place, (pid, *_) in self.workers.items():
            kind, _, begin = ENTRY.unpack(self.table[place * ENTRY.size:(place + 1) * ENTRY.size])
            if kind >= 0 and begin and time.time() - begin > HANG_SECONDS:
                os.kill(pid, signal.SIGKILL)


def judged(kind, seed):
    try:
        found = Case(kind, seed).difference()
    except Exception as error:  # a fault of the generator or of the reference: to be seen, not to be passed over
        text = "".join(traceback.format_exception(error))
        return f"the generator fails: {type(error).__name__}: {error}"[:200], text[-1500:]
    return found and (found[0], found[1][:3000])
