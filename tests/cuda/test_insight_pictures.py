"""Pictures and rooflines of cuda.xray: what they show, by the texts and numbers that are drawn."""
import xml.dom.minidom

import pytest
from common import cuda, np, raises
from gridcell.insight import measuring
from gridcell.insight.gpus import gpu_of
from insight import BLOCK, INDICES, by_parity, gather, interleaved, product, reduction, strided, tiled, transposed, zeros


@pytest.fixture(scope="module")
def transpose():
    return cuda.xray(tiled(32), (4, 4), (32, 32), zeros(128, 128), zeros(128, 128))


def texts(picture):
    """Of a drawing that is well formed, without a colour that only one theme can show."""
    svg = picture.to_svg()
    page = xml.dom.minidom.parseString(svg)
    assert not {"white", "black", "#fff", "#000"} & {element.getAttribute(name) for element in
                                                     page.getElementsByTagName("*") for name in ("fill", "stroke")}
    assert picture._repr_mimebundle_()["text/html"].count("<svg") == 1
    return [element.firstChild.data for name in ("text", "title") for element in page.getElementsByTagName(name)]


def test_sectors_of_an_access(transpose):
    picture = transpose.access_picture(access="a[j, i]")
    assert [lanes for lanes in picture.pieces().values()] == [list(range(at, at + 8)) for at in range(0, 32, 8)]
    assert "line" in repr(picture) and "32 lanes, 4 sectors" in repr(picture)
    found = texts(picture)
    assert {"31", "+0", "+96", "lane 9: +36", "32 bytes from 32 on: lanes 8-15"} <= set(found)
    apart = cuda.xray(strided, 4, 128, zeros(512 * 8), zeros(512), 8, 0).access_picture(access="source[i * stride + start]",
                                                                                      warp=3)
    assert list(apart.pieces().values()) == [[lane] for lane in range(32)]
    own = cuda.xray(gather, 32, 128, zeros(100_000), cuda.to_device(INDICES), zeros(4096))
    scattered = own.access_picture(access="source[indices[i]]", warp=2).pieces()
    first = min(scattered)
    assert {at - first for at in scattered} == {at - INDICES[64:96].min() // 8 for at in INDICES[64:96] // 8}


def test_banks_of_an_access(transpose):
    picture = transpose.access_picture(access="tile[x, y]", warp=5)
    assert {word % 32 for word in picture.pieces()} == {next(iter(picture.pieces())) % 32} and len(picture.pieces()) == 32
    assert "(the fullest bank gives 32 words)" in " ".join(texts(picture))
    spread = transpose.access_picture(access="tile[y, x]").pieces()
    assert sorted(word % 32 for word in spread) == list(range(32))


@cuda.jit
def in_turns(a, out):
    i = cuda.grid(1)
    table = cuda.const.array_like(TABLE)
    own = cuda.local.array(4, np.float32)
    for k in range(4):
        own[k] = a[i + 32 * k] + table[(i + k) % 4]
    out[i] = own[i % 4]


TABLE = np.arange(4, dtype=np.float32)


def test_turns_and_other_memories():
    result = cuda.xray(in_turns, 1, 32, zeros(256), zeros(32))
    starts = [min(result.access_picture(access="a[i + 32 * k]", turn=turn).pieces()) for turn in range(4)]
    assert [start - starts[0] for start in starts] == [0, 4, 8, 12]
    assert len(result.access_picture(access="table[(i + k) % 4]").pieces()) == 4
    assert len(result.access_picture(access="own[i % 4]").pieces()) == 16  # two lanes of eight want one word
    assert len(result.access_picture(access="own[k]", turn=3).pieces()) == 4
    with raises(ValueError, "comes here 4 times", "there is no turn 4"):
        result.access_picture(access="own[k]", turn=4)
    with raises(ValueError, "there is no access at line 1;", "there are accesses at the lines"):
        result.access_picture(1)
    with raises(ValueError, "warp 7 of the first block told nothing", "are 0"):
        result.access_picture(access="own[k]", warp=7)
    with raises(ValueError, "a tile is of an array in global memory"):
        result.tile_picture(access="own[k]")


def test_the_tile_of_a_block(transpose):
    tile = transpose.tile_picture(access="out[j, i]")
    assert tile.items == {(i, j): 1 for i in range(32) for j in range(32)}
    assert "out[0:32, 0:32] of 128 x 128" in " ".join(texts(tile))
    result = cuda.xray(product, (8, 8), (8, 8), np.zeros((64, 64), np.float32), cuda.to_device(np.zeros((64, 64)).T),
                       zeros(64, 64))
    rows = result.tile_picture(access="a[y, k]").items
    assert rows == {(y, k): 8 for y in range(8) for k in range(64)}
    assert result.tile_picture(access="b[k, x]").items == {(k, x): 8 for k in range(64) for x in range(8)}
    line = cuda.xray(strided, 4, 128, zeros(2048), zeros(512), 4, 0).tile_picture(access="source[i * stride + start]")
    assert line.items == {(4 * i,): 1 for i in range(128)} and "rows of 64 items" in " ".join(texts(line))


def test_masks_over_time():
    mask = cuda.xray(by_parity, 4, 128, zeros(512), 1).mask_picture()
    lanes = [lanes for _, source, lanes in mask.masks if source == "out[i]"]
    assert sorted(map(sorted, lanes)) == [list(range(0, 32, 2)), list(range(1, 32, 2))]
    added = cuda.xray(reduction(interleaved), 4, BLOCK, zeros(4 * BLOCK), zeros(4)).mask_picture(warp=1, count=100)
    active = [len(lanes) for _, source, lanes in added.masks if source == "own[i + s]"]
    assert active == [16, 8, 4, 2, 1]
    assert repr(added).count("\n") == len(added.masks) and any("own[i + s]" in text for text in texts(added))
    seen = cuda.xray(by_parity, 4, 128, zeros(512), 1)
    with raises(ValueError, "warp 40"):
        seen.mask_picture(warp=40)
    for first, count in ((len(mask.masks), 5), (-1, 5), (0, 0)):
        with raises(ValueError, f"first={first}, count={count}", f"the steps 0 to {len(mask.masks) - 1}"):
            seen.mask_picture(first=first, count=count)


def test_roofline(transpose):
    result = cuda.xray(product, (4, 4), (16, 16), zeros(64, 64), zeros(64, 64), zeros(64, 64), device="A100")
    roofline = result.roofline(transpose, device="T4")
    first, second = roofline.points
    assert first["operations"] == 2 * 64 ** 3 and first["precision"] == "fp32"
    assert first["arithmetic_intensity"] == 2 * 64 ** 3 / (3 * 4 * 64 * 64)
    assert first["rate"] == pytest.approx(first["operations"] / max(first["times"].values()))
    assert first["roof"] == pytest.approx(min(8.1e12, 320e9 * first["arithmetic_intensity"]))
    assert second["limiter"] == "shared memory" and second["precision"] == "integer"
    cycles = transpose.total["shared_wavefronts"] / 16  # 16 blocks on 16 of 40 multiprocessors
    assert second["seconds"] == pytest.approx(cycles / 1.59e9)
    found = " ".join(texts(roofline))
    assert "modelled" in repr(roofline) and "T4: modelled by its published peak rates" in found
    assert "DRAM 320 GB/s" in found and "float64 0.254 Tflop/s" in found and "1. product" in found
    assert roofline.to_dict()["is_model"] and result.total["device"] == "A100"
    with raises(ValueError, "unknown GPU 'K1'", "known are", "L40S"):
        result.roofline(device="K1")


def test_bounds_name_their_resource():
    copied = cuda.xray(strided, 4096, 256, zeros(1 << 20), zeros(1 << 20), 1, 0, device="H100")
    assert copied.bound.limiter == "DRAM" and "bound by DRAM" in repr(copied)
    assert copied.bound.seconds == pytest.approx(8 * (1 << 20) / 3.35e12, rel=0.01)
    columns = cuda.xray(transposed, (32, 32), (32, 32), zeros(1024, 1024), zeros(1024, 1024), device="H200")
    assert columns.bound.limiter == "L2" and columns.total["l2_bytes"] == (4 + 32) * 32 * (1 << 15)


def test_saved_drawings(transpose, tmp_path):
    transpose.roofline().save(tmp_path / "roofline.svg")
    assert (tmp_path / "roofline.svg").read_text().startswith("<svg")


def test_roofline_of_the_gpu_that_is_there(monkeypatch):
    """Times are measured; the arrays hold what one launch leaves, those of the host, too."""
    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)
        out[i] += 2 * a[i]

    monkeypatch.setattr(measuring, "present_gpu", lambda: gpu_of("T4"))  # as if it were this
    a, out, host = cuda.to_device(np.ones(256, np.float32)), cuda.to_device(np.ones(256, np.float32)), np.ones(256, np.float32)
    with measuring.Measuring("L4") as other:
        kernel[2, 128](a, out=out)
    assert other.results[0].seconds is None
    with measuring.Measuring("T4") as seen:
        kernel[2, 128](a, out=out)
        kernel[2, 128](a, host)
    np.testing.assert_array_equal(out.copy_to_host(), 5)
    np.testing.assert_array_equal(host, 3)
    first, second = (result.seconds for result in seen.results)
    roofline = seen.results[0].roofline(seen.results[1])
    assert first > 0 and [point["rate"] for point in roofline.points] == [512 / first, 512 / second]
    assert "took" in repr(roofline) and "times as measured" in repr(roofline) and not roofline.to_dict()["is_model"]
    assert "nothing was timed" in repr(seen.results[0].roofline(device="L4"))
