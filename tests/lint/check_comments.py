"""Where invariants live, comments say why: 8 lines of them per 100 of code. Stages of the compiler assert what they rely on."""
import pathlib
import re
import sys

import tree

COMMENTS = 8  # lines per 100 lines of code, at least
INVARIANT_FILES = """
    compiler/codegen/base/types.c
    compiler/codegen/body/ownership.c
    compiler/ir/verify.c
    compiler/types/abi.c
    compiler/types/compound.c
    compiler/types/container.c
    compiler/types/iterated.c
    compiler/types/kinds.c
    compiler/types/type.c
    kernel/process/crash.c
    kernel/process/descriptors.c
    kernel/process/signals.c
    kernel/process/stack_guard.c
    runtime/host/dispatch/py_dispatcher.c
    runtime/host/dispatch/py_overload.c
    runtime/host/dispatch/py_source.c
    runtime/host/values/py_box.c
    runtime/host/values/py_typeof.c
    runtime/threads/fault.c
""".split()
ASSERTS = {"compiler/typing": 5, "compiler/codegen": 7, "compiler/backends": 4}  # per 1000 lines, at least
ASSERT = re.compile(r"^\s*assert\(", re.MULTILINE)


def comment_share(lines):
    """How many lines of a file are comments alone, its licence aside, and how many are code."""
    comments = sum(line.lstrip().startswith("//") for line in lines[1:])
    return comments, sum(bool(line.strip()) for line in lines) - comments - 1


def density(root, sources):
    """Comment lines per 100 lines of code."""
    shares = [comment_share(tree.text_of(root, path).splitlines()) for path in sources]
    return 100 * sum(comments for comments, _ in shares) / max(1, sum(code for _, code in shares))


def asserts(root, folder):
    """How many assertions the .c files below a folder have per 1000 lines."""
    texts = [tree.text_of(root, path) for path in tree.c_files(root, (".c",)) if path.is_relative_to(folder)]
    return 1000 * sum(len(ASSERT.findall(text)) for text in texts) / sum(len(text.splitlines()) for text in texts)


def main(root):
    findings = [(path, 1, f"{density(root, [path]):.1f} comment lines per 100 of code, of at least {COMMENTS}")
                for path in INVARIANT_FILES if density(root, [path]) < COMMENTS]
    findings += [(folder, 1, f"{asserts(root, folder):.2f} asserts per 1000 lines, of at least {least}")
                 for folder, least in ASSERTS.items() if asserts(root, folder) < least]
    tree.finish(findings)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
