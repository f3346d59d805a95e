"""Single records of device arrays."""
from common import cuda, np, raises
from numba.cuda.cudadrv.devicearray import DeviceRecord, from_record_like

ITEM = np.dtype([("a", np.int32), ("b", np.float64), ("c", np.float32, 2)])


def host():
    array = np.zeros(4, ITEM)
    array["a"] = [1, 2, 3, 4]
    return array


@cuda.jit
def doubled(record):
    record.a *= 2
    record["b"] = 2.5


def test_fields():
    array = cuda.to_device(host())
    record = array[1]
    assert isinstance(record, DeviceRecord) and record.dtype == ITEM and record.shape == ()
    assert record["a"] == 2 and type(record["a"]) is np.int32
    record["b"] = 7
    array[-1]["a"] = 9
    found = array.copy_to_host()
    assert found["b"].tolist() == [0, 7, 0, 0] and found["a"].tolist() == [1, 2, 3, 9]
    assert record.copy_to_host()["b"] == 7 and np.asarray(record)["a"] == 2
    assert record == found[1] and record == array[1] and record != array[0]
    with raises(IndexError):
        array[4]
    table = cuda.to_device(host().reshape(2, 2))
    table[1, 0]["a"] = 30
    assert table.copy_to_host()["a"].tolist() == [[1, 2], [30, 4]]
    assert not isinstance(table[1], DeviceRecord)


def test_kernels_change_them_in_place():
    array = cuda.to_device(host())
    doubled[1, 1](array[2])
    assert array.copy_to_host()["a"].tolist() == [1, 2, 6, 4] and array[2]["b"] == 2.5
    aligned = cuda.to_device(np.ones(2, np.dtype([("a", np.int8), ("b", np.float64)], align=True)))
    doubled[1, 1](aligned[1])
    assert aligned.copy_to_host().tolist() == [(1, 1.0), (2, 2.5)]


def test_new_records():
    record = from_record_like(host()[0])
    record.copy_to_device(host()[2:3].reshape(()))
    assert record["a"] == 3
    record.setitem("a", 5)
    assert record.getitem("a") == 5
