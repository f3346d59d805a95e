"""What a process holds, figures with their limits, and the line that a part of the soak prints."""
import os
import pathlib
import time
from dataclasses import dataclass, field

MIB = 1 << 20
# What memory may grow by once, whatever the number of repetitions: pages of the allocator and of its
# threads' arenas, tables that double. A slope is what comes on top.
ONCE_BYTES = 2 * MIB


@dataclass(frozen=True)
class Size:
    memory: int  # bytes of pages that are the process's own, swapped out or not
    descriptors: int
    threads: int
    children: int


def size_of(pid):
    process = pathlib.Path(f"/proc/{pid}")
    memory = sum(int(line.split()[1]) << 10 for line in (process / "smaps_rollup").read_text().splitlines()
                 if line.startswith(("Anonymous:", "Swap:")))
    threads = list((process / "task").iterdir())
    children = sum(len((thread / "children").read_text().split()) for thread in threads)
    return Size(memory, len(list((process / "fd").iterdir())), len(threads), children)


@dataclass
class Report:
    """The figures of a part. Those of a peer are printed, and held to no limit."""
    name: str
    is_judged: bool = True
    words: list = field(default_factory=list)
    wrong: list = field(default_factory=list)  # what is past a limit, in words
    started: float = field(default_factory=time.monotonic)

    def tell(self, text):
        self.words.append(text)

    def figure(self, what, value, unit, at_most, allowance=0):
        """A value that may be `at_most`; what lies within the allowance is not looked at."""
        text = f"{what} {value:,.4g}{unit}" if isinstance(value, float) else f"{what} {value:,}{unit}"
        self.words.append(f"{text} (at most {at_most:,}{unit})")
        if value > at_most + allowance:
            self.wrong.append(self.words[-1])

    def growth(self, before, after, count, what, bytes_each, kept=0):
        """What `count` repetitions left behind; `kept` bytes of it are the user's own."""
        grown = after.memory - before.memory - kept
        self.figure(f"memory a {what}", grown / count, " B", bytes_each, ONCE_BYTES / count)
        for kind in "descriptors", "threads", "children":
            self.figure(kind, getattr(after, kind) - getattr(before, kind), "", 0)

    def failure(self, text):
        self.wrong.append(text)

    def __str__(self):
        seconds = time.monotonic() - self.started
        verdict = "" if not self.is_judged else "  PAST ITS LIMIT" if self.wrong else "  ok"
        return f"{self.name:<12} {'; '.join(self.words)}; {seconds:.0f} s{verdict}"


def free_bytes():
    """Memory that the machine can give."""
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
