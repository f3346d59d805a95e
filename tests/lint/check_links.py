"""Links of the project's pages lead to files that are there, and to headings of theirs. Those of docs/site/ are among the
pages of the site, and scripts/docs looks at them."""
import pathlib
import sys

import tree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from markdown_links import anchors, links


def faults(root, page):
    for target, anchor in links(tree.text_of(root, page)):
        to = (root / page.parent / target).resolve() if target else root / page
        if not to.exists():
            yield f"leads nowhere: {target}"
        elif anchor and anchor not in anchors(to.read_text()):
            yield f"{target or page.name} has no heading for #{anchor}"


def main(root):
    pages = [path for path in tree.project_files(root) if path.suffix == ".md" and path.parts[:2] != ("docs", "site")]
    tree.finish([(page, 1, fault) for page in pages for fault in faults(root, page)])


main(pathlib.Path(sys.argv[1]).resolve())
