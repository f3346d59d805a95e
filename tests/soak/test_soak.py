"""A short sample of each part of the soak; `tests/soak/run` is the whole."""
import pytest
import soak


@pytest.mark.parametrize("name", soak.parts())
def test_part(name, tmp_path):
    report = soak.run_part(name, soak.parts()[name], soak.Soak(tmp_path, is_quick=True))
    assert not report.wrong, str(report)
