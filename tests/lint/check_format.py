"""C files are formatted as .clang-format says."""
import pathlib
import subprocess
import sys

import tree


def main(root, clang_format):
    files = [str(root / path) for path in tree.project_files(root) if path.suffix in (".c", ".h")]
    result = subprocess.run([clang_format, "--dry-run", "--ferror-limit=1", *files], cwd=root,
                            capture_output=True, text=True)
    unformatted = sorted({line.split(":")[0] for line in result.stderr.splitlines()
                          if "[-Wclang-format-violations]" in line})
    tree.finish([(pathlib.Path(path).relative_to(root), 1, "is not as clang-format leaves it")
                 for path in unformatted])


main(pathlib.Path(sys.argv[1]), sys.argv[2])
