"""%logstart and its kin: what is typed, and what comes out, in a file that Python can run."""
import glob
import os
import time

import _gridcell_kernel as kernel
from gridcell.ipython.settings import configured
from IPython.core.error import UsageError

MODES = ("append", "backup", "global", "over", "rotate")


class Log:
    """The one log of the session."""

    def __init__(self, path, mode, outputs, raw, stamps):
        self.path, self.mode, self.outputs, self.raw, self.stamps = path, mode, outputs, raw, stamps
        self.active, self.cell = True, 0
        self.file = self._open()

    def _open(self):
        if self.mode == "append":
            return open(self.path, "a", encoding="utf-8")
        if self.mode == "global":
            self.path = os.path.join(os.path.expanduser("~"), self.path)
            return open(self.path, "a", encoding="utf-8")
        if self.mode == "backup" and os.path.isfile(self.path):
            os.replace(self.path, self.path + "~")
        elif self.mode == "rotate" and os.path.isfile(self.path):
            numbers = [int(name[-4:-1]) for name in glob.glob(glob.escape(self.path) + ".[0-9][0-9][0-9]~")]
            os.replace(self.path, f"{self.path}.{max(numbers, default=0) + 1:03d}~")
        return open(self.path, "w", encoding="utf-8")

    def write(self, text):
        self.file.write(text)
        self.file.flush()

    def write_input(self, cell):
        if not self.active:
            return
        if self.stamps:
            self.write(time.strftime("# %a, %d %b %Y %H:%M:%S\n"))
        text = cell if self.raw else kernel.transform_cell(cell)
        self.write(text if text.endswith("\n") else text + "\n")
        self.cell = len(kernel.state("inputs")) - 1

    def write_output(self, number):
        outputs = kernel.state("outputs")
        if self.active and self.outputs and number in outputs:
            for line in kernel.pretty(outputs[number]).splitlines():
                self.write(f"#[Out]# {line}\n")

    def describe(self):
        print("Filename       :", self.path)
        print("Mode           :", self.mode)
        print("Output logging :", self.outputs)
        print("Raw input log  :", self.raw)
        print("Timestamping   :", self.stamps)
        print("State          :", "active" if self.active else "temporarily suspended")


_log = None


def current():
    """The log; None when there is none."""
    return _log


def start(path, mode, outputs, raw, stamps, head="# IPython log file\n\n"):
    """Opens a log, in which the cells from the next one on are written."""
    global _log
    if mode not in MODES:
        raise ValueError(f"invalid log mode <{mode}> given")
    _log = Log(os.path.expanduser(path), mode, outputs, raw, stamps)
    _log.write(head)
    events = kernel.get_ipython().events
    events.register("pre_run_cell", _before_cell)
    events.register("post_run_cell", _after_cell)


def _before_cell(info):
    _log.write_input(info.raw_cell)


def _after_cell(result=None):
    _log.write_output(len(kernel.state("inputs")) - 1)


def logstart(line):
    """Starts the log with what was typed so far."""
    options, words = [], line.split()
    while words and words[0].startswith("-"):
        options += words.pop(0)[1:]
    if set(options) - set("ortq"):
        raise UsageError(f'option -{(set(options) - set("ortq")).pop()} not recognized (allowed: "ortq")')
    if _log is not None:
        print("Log already started. Use %logstop first.")
        return
    path = words[0] if words else "ipython_log.py"
    mode = words[1] if len(words) > 1 else "backup" if words else "rotate"
    if mode not in MODES:
        raise UsageError(f"invalid log mode <{mode}> given")
    start(path, mode, "o" in options, "r" in options, "t" in options)
    inputs = kernel.state("inputs")
    for number, cell in enumerate(inputs[1:-1], 1):
        text = cell if _log.raw else kernel.transform_cell(cell)
        _log.write(text if text.endswith("\n") else text + "\n")
        _log.write_output(number)
    if "q" not in options and not configured("LoggingMagics", "quiet", False):
        print("Activating auto-logging. Current session state plus future input saved.")
        _log.describe()


def logstop(line):
    """Ends the log."""
    global _log
    if _log is None:
        print("Logging hadn't been started.")
        return
    events = kernel.get_ipython().events
    events.unregister("pre_run_cell", _before_cell)
    events.unregister("post_run_cell", _after_cell)
    _log.file.close()
    _log = None


def _switch(turns_on):
    word = "ON" if turns_on else "OFF"
    if _log is None:
        print("\nLogging hasn't been started yet (use logstart for that).\n\n"
              "%logon/%logoff are for temporarily starting and stopping logging for a logfile\n"
              "which already exists. But you must first start the logging process with\n"
              "%logstart (optionally giving a logfile name).")
    elif _log.active == turns_on:
        print(f"Logging is already {word}")
    else:
        print(f"Switching logging {word}")
        _log.active = turns_on


def logon(line):
    _switch(True)


def logoff(line):
    _switch(False)


def logstate(line):
    if _log is None:
        print("Logging has not been activated.")
    else:
        _log.describe()
