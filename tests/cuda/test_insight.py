"""The kernels of docs/insight.md: counts as on paper, the true cause first, and the page as it would be made now."""
import insight
import pytest
from common import is_emulated


@pytest.mark.parametrize("name, cause, paper, run", insight.CASES, ids=[case[0] for case in insight.CASES])
def test_figures_and_cause(name, cause, paper, run):
    result = run()
    assert insight.figures(result) == paper
    assert cause in result.verdict[0] if cause else not result.verdict, result.verdict


@pytest.mark.skipif(not is_emulated(), reason="the page has the counts of the emulated device")
def test_page_is_current():
    """Else: GRIDCELL_DEVICE=emulator python tests/cuda/insight.py --write"""
    assert insight.parts()[1] == insight.table()
