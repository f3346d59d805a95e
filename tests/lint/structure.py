"""Prints how the tree is built, one row a measure and one column a tree, to compare before and after.

usage: structure.py TREE [TREE...]      each TREE a checkout with a build/ folder in it
"""
import collections
import pathlib
import re
import statistics
import sys

import graph
import tree

SWITCH_OVER_KIND = re.compile(r"switch \([^\n]*kind\)[^{]*\{\s*(?:case \w+:\s*)*?case TYPE_")
ASSERT = re.compile(r"^\s*assert\(", re.MULTILINE)
INTRINSIC = re.compile(r"\bpopc\b|POPC|popcount|POPULATION_COUNT", re.IGNORECASE)


def comment_share(lines):
    """How many lines of a file are comments alone, its licence aside, and how many are code."""
    comments = sum(line.lstrip().startswith("//") for line in lines[1:])
    return comments, sum(bool(line.strip()) for line in lines) - comments - 1


def density(root, sources):
    """Comment lines per 100 lines of code."""
    shares = [comment_share(tree.text_of(root, path).splitlines()) for path in sources]
    return 100 * sum(comments for comments, _ in shares) / max(1, sum(code for _, code in shares))


def measures(root):
    sources = [path for path in tree.c_files(root)]
    texts = {path: tree.text_of(root, path) for path in sources}
    sizes = collections.Counter(str(path.parent) for path in sources if path.suffix == ".c")
    used, included = graph.links(root, root / "build"), graph.includes(root)
    between = graph.folders(used, included)
    round_trips = graph.circles(between)
    code = sum(len(text.splitlines()) for path, text in texts.items() if path.suffix == ".c")
    inside = graph.circles_within_folders(used)
    worst = max(inside, key=lambda folder: len(inside[folder]))
    yield "folders with .c files", len(sizes)
    yield ".c files in a folder, median / max", f"{statistics.median(sizes.values()):g} / {max(sizes.values())}"
    yield "folders in circles", sum(map(len, round_trips))
    yield "edges between folders that turn back", sum(
        target in part for part in round_trips for folder in part for target in between[folder])
    yield "largest circle of .c files in a folder", f"{len(inside[worst])} ({worst})"
    yield "switches over the type kind", sum(len(SWITCH_OVER_KIND.findall(text)) for text in texts.values())
    yield "files that name the intrinsic popc", sum(
        bool(INTRINSIC.search(tree.text_of(root, path)))
        for path in tree.project_files(root)
        if path.parts[0] in tree.LAYERS and path.suffix in (".c", ".h", ".def", ".py"))
    yield "asserts per 1000 lines", f"{1000 * sum(len(ASSERT.findall(t)) for t in texts.values()) / code:.2f}"
    yield "comment lines per 100 of code", f"{density(root, sources):.1f}"
    by_folder = collections.defaultdict(list)
    for path in sources:
        by_folder["/".join(path.parts[:2]) if len(path.parts) > 2 else path.parts[0]].append(path)
    for folder, paths in sorted(by_folder.items()):
        yield f"  in {folder}", f"{density(root, paths):.1f}"


def main(roots):
    columns = [dict(measures(root.resolve())) for root in roots]
    names = list(dict.fromkeys(name for column in columns for name in column))
    print("|", " | ".join(["measure", *map(str, roots)]), "|\n|" + " --- |" * (len(roots) + 1))
    for name in names:
        print("|", " | ".join([name, *(str(column.get(name, "")) for column in columns)]), "|")


if __name__ == "__main__":
    main([pathlib.Path(argument) for argument in sys.argv[1:]])
