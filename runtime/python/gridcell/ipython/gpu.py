# SPDX-License-Identifier: MIT
"""Magics about the device: %gpu, %gpu_timeit, %transfers."""
import subprocess
import time

import _gridcell_kernel as kernel
from IPython.core.error import UsageError
from IPython.core.getipython import get_ipython

from .timing import format_time


def _bytes(count):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024


def _table(rows):
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())


# --- %gpu ------------------------------------------------------------------------------------

_QUERY = ("index", "utilization.gpu", "clocks.sm", "clocks.mem", "temperature.gpu", "power.draw")


def _live_figures():
    """What nvidia-smi knows of each device, by its index; empty without it."""
    try:
        text = subprocess.run(["nvidia-smi", f"--query-gpu={','.join(_QUERY)}",
                               "--format=csv,noheader"], capture_output=True, text=True, timeout=5,
                              check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    return {line.split(",")[0].strip(): [part.strip() for part in line.split(",")[1:]]
            for line in text.splitlines() if line}


def _name(device):
    return device.name.decode()  # its str is that of bytes, as numba's


def gpu(line):
    """%gpu: the devices, their memory, clocks and utilisation."""
    from numba import cuda
    live = _live_figures()
    rows = [("id", "device", "compute", "processors", "memory free", "of", "busy", "clocks",
             "temperature", "power")]
    current = cuda.get_current_device().id
    for device in cuda.list_devices():
        with cuda.gpus[device.id]:
            free, total = cuda.current_context().get_memory_info()
        busy, core, memory, warmth, power = live.get(str(device.id), ["-"] * 5)
        rows.append((f"{device.id}{' *' if device.id == current else ''}", _name(device),
                     "%d.%d" % device.compute_capability, device.MULTIPROCESSOR_COUNT, _bytes(free),
                     _bytes(total), busy, core if core == "-" else f"{core} / {memory}",
                     warmth if warmth == "-" else f"{warmth} C", power))
    _table(rows)


# --- %transfers ------------------------------------------------------------------------------

def _take(clear):
    from gridcell import _gridcell
    return _gridcell.cuda_transfers(clear)


def show_transfers(entries):
    """Prints the ledger's entries: equal ones in one row, then the sums."""
    if not entries:
        print("no copies between host and device")
        return
    rows, merged = [("direction", "copies", "bytes", "time", "rate", "for")], {}
    for direction, size, seconds, label in entries:
        count, total, spent = merged.get((direction, label), (0, 0, 0.0))
        merged[direction, label] = count + 1, total + size, spent + seconds
    for (direction, label), (count, size, seconds) in merged.items():
        is_shared = direction == "shared"
        rate = "-" if is_shared or not seconds else f"{size / seconds / 1e9:.2f} GB/s"
        rows.append(("in place" if is_shared else direction, count, _bytes(size),
                     "-" if is_shared else format_time(seconds), rate, label))
    _table(rows)
    copied = [entry for entry in entries if entry[0] != "shared"]
    if copied:
        print(f"{len(copied)} copies, {_bytes(sum(entry[1] for entry in copied))}, "
              f"{format_time(sum(entry[2] for entry in copied))}")
    if len(copied) < len(entries):
        print("in place: the emulated device used host memory where it lies; a GPU copies it to the "
              "device, and back where the kernel writes to it")


def transfers(line, cell=None):
    """%transfers: the copies since the last %transfers; of a statement or, with %%, a cell: its own."""
    code = "\n".join(part for part in (line.strip(), cell) if part)
    if not code:
        show_transfers(_take(True))
        return
    import _gridcell_kernel as kernel
    _take(True)
    try:
        kernel.run_cell(code)
    finally:
        show_transfers(_take(True))


# --- %gpu_timeit -----------------------------------------------------------------------------

_copy_rates = {}  # by device id: bytes a second, read and written


def copy_rate():
    """Bytes a second that copying on the device reads and writes, measured once."""
    from numba import cuda
    device = cuda.get_current_device()
    if device.id not in _copy_rates:
        size = (1 << 22) if device.is_emulated else (1 << 28)
        source, target = (cuda.device_array(size, "uint8") for _ in range(2))
        _copy_rates[device.id] = 2 * size / _device_seconds(
            lambda: target.copy_to_device(source), 5, 3)[0]
    return _copy_rates[device.id]


def _device_seconds(run, loops, repeat):
    """The best and all times of `run` in device seconds by events, per loop."""
    from numba import cuda
    run()
    cuda.synchronize()
    times = []
    for _ in range(repeat):
        begin, end = cuda.event(), cuda.event()
        begin.record()
        for _ in range(loops):
            run()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) / 1e3 / loops)
    return min(times), times


class GPUTimeitResult:
    """Device times of a statement in seconds: loops, all_runs, best, average; transfers."""

    def __init__(self, loops, all_runs, transfers):
        self.loops, self.all_runs, self.transfers = loops, all_runs, transfers
        self.best, self.average = min(all_runs), sum(all_runs) / len(all_runs)

    def __repr__(self):
        return f"<GPUTimeitResult: {format_time(self.average)} per loop, {len(self.all_runs)} runs>"


def _options(line):
    """({flag: value}, the statement as it was written)."""
    import re
    options, rest = {}, line.lstrip()
    while True:
        flag = re.match(r"-([nrb])\s*(\S+)(?:\s+|$)|-([oq])(\s+|$)", rest)
        if not flag:
            break
        options[f"-{flag[1] or flag[3]}"] = flag[2] or ""
        rest = rest[flag.end():]
    if re.match(r"-[a-zA-Z]\b", rest):
        raise UsageError(f"%gpu_timeit has no option {rest.split()[0]}; there are -n, -r, -b, -q, -o")
    return options, rest


def _loops_for(run):
    """As many loops as take a fifth of a second."""
    loops = 1
    while True:
        seconds = _device_seconds(run, loops, 1)[0] * loops
        if seconds >= 0.02 or loops >= 1_000_000:
            return max(1, min(1_000_000, int(loops * 0.2 / max(seconds, 1e-9))))
        loops *= 10


def gpu_timeit(line, cell=None):
    """%gpu_timeit [-n LOOPS] [-r RUNS] [-b BYTES] [-q] [-o] statement: time on the device.

    Measured by events around the loops after a warm-up, so that an asynchronous launch counts with
    its whole run. Copies of host arrays are told apart. -b: the bytes that the statement reads and
    writes on the device, for its bandwidth as a share of the device's own; -o returns the result.
    """
    from numba import cuda
    options, statement = _options(line)
    if cell is not None:
        statement = cell
    if not statement.strip():
        raise UsageError("%gpu_timeit takes a statement: %gpu_timeit kernel[grid, block](a)")
    code = compile(statement, "<gpu_timeit>", "exec")
    space = kernel.state("user_ns")

    def run():
        exec(code, space)

    run()
    loops = int(options.get("-n", 0)) or _loops_for(run)
    repeat = int(options.get("-r", 5))
    _take(True)
    wall = time.perf_counter()
    _, times = _device_seconds(run, loops, repeat)
    wall = (time.perf_counter() - wall) / (loops * repeat + 1)
    copies = [entry for entry in _take(True) if entry[0] != "shared"]
    result = GPUTimeitResult(loops, times, copies)
    if "-q" not in options:
        _report(result, wall, int(float(options.get("-b", 0))), repeat)
    return result if "-o" in options else None


def _report(result, wall, size, repeat):
    from numba import cuda
    spread = (sum((x - result.average) ** 2 for x in result.all_runs) / repeat) ** 0.5
    device = cuda.get_current_device()
    print(f"{format_time(result.average)} \u00b1 {format_time(spread)} per loop on {_name(device)} "
          f"({repeat} runs, {result.loops:,} loops each; {format_time(wall)} on the host's clock)")
    if result.transfers:
        runs = result.loops * repeat + 1
        copied = sum(entry[1] for entry in result.transfers) / runs
        spent = sum(entry[2] for entry in result.transfers) / runs
        print(f"  of it about {format_time(spent)} for copies between host and device "
              f"({_bytes(copied)} a loop; %transfers tells which): "
              f"{format_time(max(result.average - spent, 0))} without")
    if size:
        rate, most = size / result.average, copy_rate()
        print(f"  {rate / 1e9:.1f} GB/s, {rate / most:.0%} of the {most / 1e9:.0f} GB/s that copying on "
              "this device reaches")
