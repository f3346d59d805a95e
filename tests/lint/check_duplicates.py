"""Few places share six or more lines, to the letter or in shape: one piece of code would serve both."""
import collections
import itertools
import pathlib
import re
import sys

import tree

PAIRS = 78        # of places in two files, or twice in one, at most; lower it when there are fewer
LINES = 6         # that a run has at least
MOST_PLACES = 8   # a run that stands in more is an idiom of the language, no copy
NAMES = 9         # and numbers in a run that shares its shape alone,
SHAPES = 3        # and shapes of its lines: with fewer it is a table or a list
NAME = "_"        # what stands for one of them in a shape
SUFFIXES = (".c", ".h", ".py", ".build")

STRING = r'"(?:\\.|[^"\\\n])*"|' + r"'(?:\\.|[^'\\\n])*'"
LONG_STRING = r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""'
IMPORT = r"^[ \t]*(?:import\s[^\n]*|from\s[^\n]*\simport\s(?:\([^)]*\)|[^\n]*)|#[ \t]*include\b[^\n]*)"
PASSED_OVER = {  # but for what the group holds
    ".py": re.compile(rf"{IMPORT}|^[ \t]*{LONG_STRING}|({LONG_STRING}|{STRING})|#[^\n]*", re.MULTILINE),
    ".build": re.compile(rf"({STRING})|#[^\n]*"),
    ".c": re.compile(rf"{IMPORT}|({STRING})|//[^\n]*|/\*.*?\*/", re.MULTILINE | re.DOTALL)}
PASSED_OVER[".h"] = PASSED_OVER[".c"]
TOKEN = re.compile(rf"{STRING}|\d[\w.]*|[A-Za-z_]\w*|\s+|.")
PUNCTUATION = re.compile(r"\W*")
ROW = re.compile(r"[{\"].*")  # of a table, whose rows have one shape by nature
C_WORDS = set("""
    break case continue default do else enum extern for goto if return sizeof static struct switch typedef union while
    const void bool char double float int long short signed size_t ssize_t unsigned
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t""".split())
PYTHON_WORDS = set("""
    and as assert async await break case class continue def del elif else except finally for from global if import in is
    lambda match nonlocal not or pass raise return try while with yield""".split())
WORDS = {".c": C_WORDS, ".h": C_WORDS, ".py": PYTHON_WORDS, ".build": {"if", "elif", "else", "endif", "foreach"}}


def shape_of(line, words):
    """The line with its names, numbers and strings replaced by marks."""
    shape = ""
    for token in TOKEN.findall(line):
        if token in words:
            shape += token + " "
        elif token[0] in "\"'":
            shape += '"'
        elif token[0].isalnum() or token[0] == "_":
            shape += NAME
        elif not token.isspace():
            shape += token
    return shape


def significant_lines(text, suffix):
    """The lines that count, each with its number, white space folded."""
    rest = PASSED_OVER[suffix].sub(lambda match: match[1] or "\n" * match[0].count("\n"), text)
    for number, line in enumerate(rest.split("\n"), 1):
        code = " ".join(line.split())
        if not PUNCTUATION.fullmatch(code):
            yield number, code


def shapes(lines, suffix):
    """The same with the shape in place of the text, rows of tables aside."""
    return [(number, shape_of(code, WORDS[suffix])) for number, code in lines if not ROW.match(code)]


def windows(files):
    """The runs of LINES lines that stand in several places but not in many: places as (file, index)."""
    places = collections.defaultdict(list)
    for name, lines in files.items():
        for at in range(len(lines) - LINES + 1):
            places[tuple(form for _, form in lines[at:at + LINES])].append((name, at))
    return {run: found for run, found in places.items() if 2 <= len(found) <= MOST_PLACES}


def longest(starts):
    """The longest run among those that follow each other: how many lines it has, and where it begins."""
    best = (0, 0, 0)
    for at, where in starts:
        if (at - 1, where - 1) not in starts:
            length = next(n for n in itertools.count(1) if (at + n, where + n) not in starts)
            best = max(best, (length + LINES - 1, at, where))
    return best


def longest_runs(files, is_enough=lambda run: True):
    """By pair of files: the longest run that both have, as (lines, first, last, first, last)."""
    shared = collections.defaultdict(set)
    for run, found in windows(files).items():
        for (one, at), (other, where) in itertools.combinations(found, 2):
            if (one != other or where - at >= LINES) and is_enough(run):
                shared[one, other].add((at, where))
    runs = {}
    for (one, other), starts in shared.items():
        count, at, where = longest(starts)
        runs[one, other] = (count, files[one][at][0], files[one][at + count - 1][0],
                            files[other][where][0], files[other][where + count - 1][0])
    return runs


def pairs(root):
    """The pairs of places by (file, file): lines, first, last in the one, first, last in the other."""
    texts = {str(path): list(significant_lines(tree.text_of(root, path), path.suffix))
             for path in tree.project_files(root) if path.suffix in SUFFIXES}
    same_shape = longest_runs({name: shapes(lines, pathlib.Path(name).suffix) for name, lines in texts.items()},
                              lambda run: "".join(run).count(NAME) >= NAMES and len(set(run)) >= SHAPES)
    return same_shape | longest_runs(texts)


def main(root):
    found = pairs(root)
    if len(found) > PAIRS:
        for (one, other), (count, *lines) in sorted(found.items(), key=lambda pair: -pair[1][0]):
            print(f"{one}:{lines[0]}-{lines[1]} ~ {other}:{lines[2]}-{lines[3]} share {count} lines")
        print(f"{len(found)} pairs of places share {LINES} or more lines, of at most {PAIRS}")
        sys.exit(1)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
