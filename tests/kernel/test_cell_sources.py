"""Sources of cells are there for everything that is left of them, and no longer."""
MANY = 1100  # more cells than keep their source in any case

SETUP = """
import inspect
def early(x):
    return 1 / x  # of the first cell
"""


def run_many(cells, template):
    for n in range(MANY):
        cells.run(template.format(n=n), store_history=False)


def test_sources_stay_with_their_code(cells):
    cells.ok(SETUP)
    cells.ok("class Early:\n    def method(self):\n        return 2 / 0  # of a class")
    cells.ok("def by_hand():\n    return lambda: early(0)  # within another\ninner = by_hand()\ndel by_hand")
    run_many(cells, "x = {n}")
    text = cells.traceback("inner()")
    assert "return 1 / x  # of the first cell" in text and "lambda: early(0)  # within another" in text
    assert "of the first cell" in cells.result("inspect.getsource(early)")
    assert "return 2 / 0  # of a class" in cells.traceback("Early().method()")


def test_sources_go_with_their_code(cells):
    cells.ok("import linecache\nfrom IPython import get_ipython")
    for template in "y = {n} + 0.5", "def again(x):\n    return x + {n}.25", "1 / 0 + {n}", "syntax {n}", "%time {n}":
        run_many(cells, template)
    assert int(cells.result("sum('ipykernel' in name for name in linecache.cache)")) < 1100
    assert "again" in cells.traceback("again('')")


def test_the_same_cell_again_keeps_its_source(cells):
    for _ in range(3):
        cells.ok("def repeated():\n    raise ValueError('the same')")
        run_many(cells, "z = {n}")
    assert "raise ValueError('the same')" in cells.traceback("repeated()")
