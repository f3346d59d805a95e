"""Programs in the background (%%script --bg, %killbgscripts) and %sc."""
import signal
import subprocess
import time

import _gridcell_kernel as kernel
from IPython.core.error import UsageError

_running = []


def start(words, cell, output_name, errors_name, process_name):
    """Starts a program with the cell as its input; the variables get its pipes and the process."""
    space = kernel.state("user_ns")
    process = subprocess.Popen(words, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE if output_name else subprocess.DEVNULL,
                               stderr=subprocess.PIPE if errors_name else subprocess.DEVNULL,
                               start_new_session=True)
    _running[:] = [each for each in _running if each.poll() is None]
    _running.append(process)
    import threading
    threading.Thread(target=_feed, args=(process.stdin, cell.encode("utf-8", "surrogateescape")),
                     daemon=True).start()
    if output_name:
        space[output_name] = process.stdout
    if errors_name:
        space[errors_name] = process.stderr
    if process_name:
        space[process_name] = process


def _feed(pipe, data):
    try:
        pipe.write(data)
        pipe.close()
    except OSError:
        pass  # the program ended before it read everything


def _signal_all(number):
    for process in _running:
        if process.poll() is None:
            try:
                process.send_signal(number)
            except OSError:
                pass


def _wait(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end and any(each.poll() is None for each in _running):
        time.sleep(0.01)


def killbgscripts(line):
    """Ends what %%script --bg started: interrupt, terminate, kill."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        _signal_all(number)
        _wait(0.1)
    _running[:] = [each for each in _running if each.poll() is None]
    print("All background processes were killed." if not _running else
          f"Some processes could not be killed: {[each.pid for each in _running]}")


def sc(line):
    """%sc [-l] [-v] name=command"""
    from gridcell.ipython.sources import parse
    words = line.split()
    count = 0
    while count < len(words) and words[count].startswith("-"):
        count += 1
    options, _ = parse(" ".join(words[:count]), "lv")
    name, equals, command = (line.split(None, count)[count] if len(words) > count else "").partition("=")
    if not equals or not name.strip().isidentifier():
        raise UsageError("you must specify the variable: %sc [-l] [-v] NAME=COMMAND")
    lines = kernel.get_ipython().getoutput(command.strip())
    value = lines if "l" in options else "\n".join(lines) + ("\n" if lines else "")
    if "v" in options:
        print(f"{name.strip()} ==\n{kernel.pretty(value)}")
    kernel.state("user_ns")[name.strip()] = value
