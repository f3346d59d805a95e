"""Prints how the tree is built, one row a measure and one column a tree, to compare before and after.

usage: structure.py TREE [TREE...]      each TREE a checkout with a build/ folder in it
"""
import collections
import pathlib
import re
import statistics
import sys

import check_comments
import check_duplicates
import graph
import tree

SWITCH_OVER_KIND = re.compile(r"switch \([^\n]*kind\)[^{]*\{\s*(?:case \w+:\s*)*?case TYPE_")
CIRCLE = 5  # of so many files: a row of its own
INTRINSIC = re.compile(r"\bpopc\b|POPC|popcount|POPULATION_COUNT", re.IGNORECASE)


def measures(root):
    sources = [path for path in tree.c_files(root)]
    texts = {path: tree.text_of(root, path) for path in sources}
    sizes = collections.Counter(str(path.parent) for path in sources if path.suffix == ".c")
    used, included = graph.links(root, root / "build"), graph.includes(root)
    between = graph.folders(used, included)
    round_trips = graph.circles(between)
    inside = {folder: len(circle) for folder, circle in graph.circles_within_folders(used).items()}
    yield "folders with .c files", len(sizes)
    yield ".c files in a folder, median / max", f"{statistics.median(sizes.values()):g} / {max(sizes.values())}"
    yield "folders in circles", sum(map(len, round_trips))
    yield "edges between folders that turn back", sum(
        target in part for part in round_trips for folder in part for target in between[folder])
    yield "largest circle of .c files in a folder", max(inside.values(), default=0)
    yield from ((f"  in {folder}", size) for folder, size in sorted(inside.items()) if size >= CIRCLE)
    yield "switches over the type kind", sum(len(SWITCH_OVER_KIND.findall(text)) for text in texts.values())
    yield "files that name the intrinsic popc", sum(
        bool(INTRINSIC.search(tree.text_of(root, path)))
        for path in tree.project_files(root)
        if path.parts[0] in tree.LAYERS and path.suffix in (".c", ".h", ".def", ".py"))
    yield "pairs of places that share six lines", len(check_duplicates.pairs(root))
    yield "asserts per 1000 lines", f"{check_comments.asserts(root, ''):.2f}"
    for folder in check_comments.ASSERTS:
        yield f"  in {folder}", f"{check_comments.asserts(root, folder):.2f}"
    yield from comment_measures(root, sources)


def comment_measures(root, sources):
    yield "comment lines per 100 of code", f"{check_comments.density(root, sources):.1f}"
    by_folder = collections.defaultdict(list)
    for path in sources:
        by_folder["/".join(path.parts[:2]) if len(path.parts) > 2 else path.parts[0]].append(path)
    for folder, paths in sorted(by_folder.items()):
        yield f"  of {folder}", f"{check_comments.density(root, paths):.1f}"
    for path in map(pathlib.PurePosixPath, check_comments.INVARIANT_FILES):
        found = [source for source in sources if source.name == path.name]
        if path in found:
            found = [path]
        yield f"  of {path}", f"{check_comments.density(root, found):.1f}" if found else ""


def main(roots):
    columns = [dict(measures(root.resolve())) for root in roots]
    names = list(dict.fromkeys(name for column in columns for name in column))
    print("|", " | ".join(["measure", *map(str, roots)]), "|\n|" + " --- |" * (len(roots) + 1))
    for name in names:
        print("|", " | ".join([name, *(str(column.get(name, "")) for column in columns)]), "|")


if __name__ == "__main__":
    main([pathlib.Path(argument) for argument in sys.argv[1:]])
