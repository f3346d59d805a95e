"""%prun: a statement under the profiler."""
import _gridcell_kernel as kernel
from IPython.core.error import UsageError

LETTERS = "D:l:rs:T:q"


def _parse(line):
    import getopt
    words = line.split()
    count = 0
    while count < len(words) and words[count].startswith("-"):
        count += 2 if words[count] in ("-D", "-l", "-s", "-T") else 1
    try:
        pairs, _ = getopt.getopt(words[:count], LETTERS)
    except getopt.GetoptError as error:
        raise UsageError(f'{error} (allowed: "{LETTERS}")') from None
    rest = line.split(None, count)[count] if len(words) > count else ""
    return pairs, rest


def _limit(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text.strip("\"'")


def profile(run, pairs):
    """Calls run(profiler) and shows what it recorded as the options (pairs) ask for."""
    import cProfile
    import io
    import pstats
    import sys
    options = dict(pairs)
    profiler = cProfile.Profile()
    note = ""
    try:
        run(profiler)
    except SystemExit:
        note = " *** SystemExit exception caught in code being profiled."
    except KeyboardInterrupt:
        note = " *** KeyboardInterrupt exception caught in code being profiled."
    text = io.StringIO()
    stats = pstats.Stats(profiler, stream=text).strip_dirs()
    stats.sort_stats(*[value for name, value in pairs if name == "-s"] or ["time"])
    stats.print_stats(*[_limit(value) for name, value in pairs if name == "-l"])
    report = text.getvalue().rstrip()
    stats.stream = sys.stdout    # where the result of -r prints, as Python's own
    if "-q" not in options:
        kernel.add_payload({"source": "page", "data": {"text/plain": report}, "start": 0})
    if note:
        print(note.strip())
    if "-D" in options:
        path = options["-D"].strip("\"'")
        profiler.dump_stats(path)
        print(f"\n*** Profile stats marshalled to file {path!r}.")
    if "-T" in options:
        path = options["-T"].strip("\"'")
        with open(path, "w", encoding="utf-8") as file:
            file.write(report)
        print(f"\n*** Profile printout saved to text file {path!r}.")
    return stats if "-r" in options else None


def prun(line, cell=None):
    """Profiles the statement, or the cell, and shows the table in the pager."""
    pairs, statement = _parse(line)
    if cell is not None:
        statement = f"{statement}\n{cell}" if statement else cell
    space = kernel.state("user_ns")
    source = kernel.transform_cell(statement)
    return profile(lambda profiler: profiler.runctx(source, space, space), pairs)
