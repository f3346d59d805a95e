"""%prun: a statement under the profiler."""
import _gridcell_kernel as kernel
from IPython.core.error import UsageError


def _parse(line):
    import getopt
    words = line.split()
    count = 0
    while count < len(words) and words[count].startswith("-"):
        count += 2 if words[count] in ("-D", "-l", "-s", "-T") else 1
    try:
        pairs, _ = getopt.getopt(words[:count], "D:l:rs:T:q")
    except getopt.GetoptError as error:
        raise UsageError(f'{error} ( allowed: "D:l:rs:T:q" )') from None
    rest = line.split(None, count)[count] if len(words) > count else ""
    return pairs, rest


def _limit(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def prun(line, cell=None):
    """Profiles the statement, or the cell, and shows the table in the pager."""
    import cProfile
    import io
    import pstats
    pairs, statement = _parse(line)
    options = dict(pairs)
    if cell is not None:
        statement = f"{statement}\n{cell}" if statement else cell
    profile, space = cProfile.Profile(), kernel.state("user_ns")
    note = ""
    try:
        profile.runctx(kernel.transform_cell(statement), space, space)
    except SystemExit:
        note = "*** SystemExit exception caught in code being profiled."
    except KeyboardInterrupt:
        note = "*** KeyboardInterrupt exception caught in code being profiled."
    text = io.StringIO()
    stats = pstats.Stats(profile, stream=text).strip_dirs()
    stats.sort_stats(*[value for name, value in pairs if name == "-s"] or ["time"])
    stats.print_stats(*[_limit(value) for name, value in pairs if name == "-l"])
    report = text.getvalue().rstrip()
    if "-D" in options:
        profile.dump_stats(options["-D"])
        print(f"\n*** Profile stats marshalled to file {options['-D']!r}. {note}")
    if "-T" in options:
        with open(options["-T"], "w", encoding="utf-8") as file:
            file.write(report)
        print(f"\n*** Profile printout saved to text file {options['-T']!r}. {note}")
    if "-q" not in options:
        kernel.add_payload({"source": "page", "data": {"text/plain": report}, "start": 0})
    return stats if "-r" in options else None
