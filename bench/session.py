"""One running kernel, driven by jupyter_client, and the times that its user would see.

Both contenders go through this same code: kernelspecs in a temporary JUPYTER_PATH, TCP on the
loopback interface, signed messages.
"""
import ast
import math
import os
import queue
import subprocess
import time

import zmq
from jupyter_client.manager import KernelManager

LIMIT_SECONDS = 120


class CellError(Exception):
    pass


class Session:
    def __init__(self, kernel_name):
        context = zmq.Context()
        # a kernel that is ready earlier than the default 100 ms retry must be seen earlier
        context.setsockopt(zmq.RECONNECT_IVL, 2)
        self.manager = KernelManager(kernel_name=kernel_name, context=context)
        self.started_at = time.perf_counter()
        self.manager.start_kernel(stderr=subprocess.DEVNULL)
        self.client = self.manager.client()
        self.client.start_channels(hb=False)
        self.context = context

    def __enter__(self):
        return self

    def again(self):
        """Another kernel of the same name."""
        return Session(self.manager.kernel_name)

    def __exit__(self, *exception):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self.context.destroy(linger=0)

    @property
    def pid(self):
        return self.manager.provisioner.pid

    def reply(self, message_id, limit=LIMIT_SECONDS):
        """Waits for the shell reply to a request."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            message = self.client.get_shell_msg(timeout=limit)
            if message["parent_header"].get("msg_id") == message_id:
                return message["content"]
        raise TimeoutError(message_id)

    def first_times(self):
        """Seconds from the start of the process to kernel_info_reply and to the first result."""
        info = self.client.kernel_info()
        first = self.client.execute("1 + 1", user_expressions={"value": "_"})
        self.reply(info)
        info_seconds = time.perf_counter() - self.started_at
        content = self.reply(first)
        result_seconds = time.perf_counter() - self.started_at
        if content["user_expressions"]["value"]["data"]["text/plain"] != "2":
            raise CellError(f"1 + 1 gave {content}")
        self.join_iopub()
        return info_seconds, result_seconds

    def join_iopub(self):
        """Returns when what the kernel publishes arrives: a quick kernel is ahead of the subscription."""
        while True:
            self.reply(self.client.kernel_info())
            try:
                self.client.get_iopub_msg(timeout=0.05)
                return
            except queue.Empty:
                pass

    def drain(self):
        """Takes what came on IOPub, so that neither side waits on a full queue."""
        while self.client.iopub_channel.msg_ready():
            self.client.get_iopub_msg(timeout=1)

    def seconds(self, code):
        """Time of one cell, from sending the request to its reply."""
        start = time.perf_counter()
        content = self.reply(self.client.execute(code))
        elapsed = time.perf_counter() - start
        if content["status"] != "ok":
            raise CellError(f"{content.get('ename')}: {str(content.get('evalue'))[:200]}")
        return elapsed

    def idle_seconds(self, code):
        """Time of one cell, until its last output and `idle` arrived."""
        self.drain()
        start = time.perf_counter()
        message_id = self.client.execute(code)
        while True:
            message = self.client.get_iopub_msg(timeout=LIMIT_SECONDS)
            if (message["parent_header"].get("msg_id") == message_id
                    and message["content"].get("execution_state") == "idle"):
                break
        elapsed = time.perf_counter() - start
        self.reply(message_id)
        return elapsed

    def value(self, code, expression):
        """Runs a cell and returns the Python literal that `expression` then shows."""
        content = self.reply(self.client.execute(code, user_expressions={"value": expression}))
        if content["status"] != "ok":
            raise CellError(f"{content.get('ename')}: {str(content.get('evalue'))[:200]}")
        return ast.literal_eval(content["user_expressions"]["value"]["data"]["text/plain"])

    def complete_seconds(self, code):
        start = time.perf_counter()
        content = self.reply(self.client.complete(code, len(code)))
        elapsed = time.perf_counter() - start
        if not content["matches"]:
            raise CellError(f"no completion of {code!r}")
        return elapsed

    def interrupt_seconds(self, code, limit=LIMIT_SECONDS):
        """Time from the interrupt of a running cell to its reply; inf after `limit` without one."""
        message_id = self.client.execute(code)
        time.sleep(0.3)
        start = time.perf_counter()
        self.manager.interrupt_kernel()
        try:
            content = self.reply(message_id, limit)
        except (queue.Empty, TimeoutError):
            return math.inf
        elapsed = time.perf_counter() - start
        if content.get("ename") != "KeyboardInterrupt":
            raise CellError(f"interrupted cell replied {content['status']}")
        return elapsed

    def idle_load(self):
        """Threads of the kernel that does nothing, and the percentage of a CPU that it takes.
        Before that, what it does when a cell has ended gets its time."""
        time.sleep(3)
        before, seconds = self.cpu_seconds(), 2
        time.sleep(seconds)
        threads = len(os.listdir(f"/proc/{self.pid}/task"))
        return threads, 100 * (self.cpu_seconds() - before) / seconds

    def cpu_seconds(self):
        with open(f"/proc/{self.pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Proportional and resident set size of the kernel process, in bytes."""
        sizes = {}
        with open(f"/proc/{self.pid}/smaps_rollup") as rollup:
            for line in rollup:
                name, _, rest = line.partition(":")
                if name in ("Pss", "Rss"):
                    sizes[name] = int(rest.split()[0]) * 1024
        return sizes["Pss"], sizes["Rss"]
