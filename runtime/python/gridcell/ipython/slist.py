"""The list that `x = !cmd` gives."""


class SList(list):
    """Output lines: `.l` the list, `.s` joined by blanks, `.n` by newlines, `.p` as paths."""

    @property
    def l(self):
        return self

    @property
    def list(self):
        return self

    @property
    def s(self):
        return " ".join(self)

    spstr = s

    @property
    def n(self):
        return "\n".join(self)

    nlstr = n

    @property
    def p(self):
        import pathlib
        return [pathlib.Path(line) for line in self]

    paths = p

    def grep(self, pattern, prune=False, field=None):
        """Lines for which a regular expression or a function holds; `prune` inverts."""
        import re
        holds = pattern if callable(pattern) else re.compile(pattern, re.IGNORECASE).search

        def subject(line):
            if field is None:
                return line
            parts = line.split()
            return parts[field] if -len(parts) <= field < len(parts) else ""

        return SList(line for line in self if bool(holds(subject(line))) != prune)

    def fields(self, *numbers):
        """The white-space separated fields of those numbers, joined by blanks; all as lists."""
        rows = [line.split() for line in self]
        if not numbers:
            return rows
        picked = ([row[i] for i in numbers if -len(row) <= i < len(row)] for row in rows)
        return SList(" ".join(row) for row in picked if row)

    def sort(self, field=None, nums=False):
        """Sorted lines, by a field, and by its digits when `nums`."""
        def key(line):
            text = line if field is None else (line.split()[field:field + 1] or [""])[0]
            if not nums:
                return text
            digits = "".join(c for c in text if c.isdigit())
            return int(digits) if digits else 0

        return SList(sorted(self, key=key))


SList.__module__ = "IPython.utils.text"
