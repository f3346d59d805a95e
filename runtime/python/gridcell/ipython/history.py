"""get_ipython().history_manager: inputs and outputs of this session and of earlier ones."""
import sys

import _gridcell_kernel as kernel
from gridcell.ipython.traits import Configurable


class HistoryManager(Configurable):
    """Inputs and outputs of this session and of earlier ones."""

    db_cache_size, save_flag = 0, None
    output_hist_reprs = property(lambda self: {number: kernel.pretty(value)
                                               for number, value in kernel.state("outputs").items()})

    def __init__(self, shell=None):
        self.shell = shell

    def get_last_session_id(self):
        """The number of this session."""
        return self.session_number

    def name_session(self, name):
        """Sessions have numbers only."""

    def store_output(self, line_num):
        """The kernel stores what it shows."""

    @property
    def session_number(self):
        return kernel.history_session()

    @property
    def input_hist_raw(self):
        return kernel.state("inputs")

    @property
    def input_hist_parsed(self):
        return kernel.state("parsed_inputs")

    @property
    def output_hist(self):
        return kernel.state("outputs")

    @staticmethod
    def _rows(access, output, **query):
        for session, line, text in kernel.history({"hist_access_type": access, "output": output, **query}):
            yield session, line, tuple(text) if output else text

    def get_range(self, session=0, start=1, stop=None, raw=True, output=False):
        """Entries of one session: 0 is this one, -1 the one before."""
        for number, line, text in self._rows("range", output, session=session, start=start,
                                             stop=stop or 0, raw=raw):
            yield number if session else 0, line, text

    def get_tail(self, n=10, raw=True, output=False, include_latest=False):
        """The last entries of all sessions."""
        rows = list(self._rows("tail", output, n=n if include_latest else n + 1, raw=raw))
        return rows if include_latest else rows[:-1]

    def search(self, pattern="*", raw=True, search_raw=True, output=False, n=None, unique=False):
        """Entries of all sessions that match a glob."""
        return self._rows("search", output, pattern=pattern, raw=raw, unique=unique,
                          n=-1 if n is None else n)

    def get_range_by_str(self, rangestr, raw=True, output=False):
        """Entries of ranges such as "1-3 5 ~1/2-4"; without any, all of this session."""
        import re
        if not rangestr.strip():
            yield from self.get_range(0, raw=raw, output=output)
            return
        pattern = re.compile(r"(?:(~)?(\d+)/)?(\d+)?(?:([-:])(?:(?:(~)?(\d+)/)?(\d+))?)?$")
        for word in rangestr.split():
            match = pattern.match(word)
            if not match:
                continue
            back, session, start, dash, _, _, stop = match.groups()
            number = (-int(session) if back else int(session)) if session else 0
            first = int(start) if start else 1
            if not dash:
                last = first + 1 if start else None
            else:
                last = None if stop is None else int(stop) + (dash == "-")
            yield from self.get_range(number, first, last, raw=raw, output=output)

    def get_session_info(self, session=0):
        """Number, begin, end, count of commands and remark of a session."""
        return session or self.session_number, None, None, None, ""

    def store_inputs(self, line_num, source, source_raw=None):
        """Adds an input, as the kernel does for what it runs."""
        kernel.store_inputs(line_num, source, source if source_raw is None else source_raw)

    def reset(self, new_session=True):
        """Forgets the inputs and outputs of this session; its number stays."""
        self.input_hist_raw[:], self.input_hist_parsed[:] = [""], [""]
        self.output_hist.clear()
        if new_session and self.shell is not None:
            self.shell.execution_count = 1

    def writeout_cache(self, conn=None):
        """The kernel writes by itself."""

    end_session = writeout_cache

    @property
    def db_log_output(self):
        """Whether outputs are kept for later sessions."""
        return bool(kernel.switch("keep_outputs"))

    @db_log_output.setter
    def db_log_output(self, value):
        kernel.switch("keep_outputs", int(bool(value)))

    @property
    def hist_file(self):
        return kernel.use_history_file()

    @hist_file.setter
    def hist_file(self, path):
        import os
        if kernel.use_history_file(os.path.expanduser(str(path))) is None:
            print("The history is in use: another file is taken by a configuration file, "
                  "or by the variable GRIDCELL_HISTORY.", file=sys.stderr)

    @property
    def enabled(self):
        """Whether there is a file at all."""
        return self.hist_file != ":memory:"

    @enabled.setter
    def enabled(self, value):
        if not value and self.enabled:
            self.hist_file = ":memory:"
    dir_hist = property(lambda self: kernel.state("directories"))
