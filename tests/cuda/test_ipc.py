"""Device memory between processes."""
import pickle

import child
from common import cuda, equal, np, raises
from numba.cuda.cudadrv.driver import CudaAPIError

DOUBLE = '''
@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= 2

handle = pickle.load(sys.stdin.buffer)
with handle as a:
    print(a.copy_to_host().tolist(), a.dtype, a.strides)
    double[1, 64](a)
    part = a[1:]
    cuda.synchronize()
with raises(cuda.CudaAPIError, "its IPC handle was closed"):
    part.copy_to_host()
a = handle.open()
with raises(ValueError, "already opened"):
    handle.open()
del part, a
handle.close()
with raises(ValueError, "not opened"):
    handle.close()
'''


def test_views_are_opened_where_they_lie():
    whole = cuda.to_device(np.arange(12.0))
    rows = whole.reshape(3, 4)
    before = whole[1]
    for view, expected in ((whole[3:7], "[3.0, 4.0, 5.0, 6.0] float64 (8,)"),
                           (whole[8:6:-1], "[8.0, 7.0] float64 (-8,)"), (rows[2, 2:], "[10.0, 11.0] float64 (8,)")):
        assert child.run(DOUBLE, pickle.dumps(view.get_ipc_handle())).strip() == expected
    assert before == 1.0
    expected = np.arange(12.0)
    expected[[3, 4, 5, 6, 7, 8, 10, 11]] *= 2
    equal(whole, expected)
    equal(rows, expected.reshape(3, 4))
    whole[0] = 100.0
    assert rows[0, 0] == 100.0


def test_what_was_seen_elsewhere_stays_valid():
    a = cuda.to_device(np.arange(4))
    other = cuda.as_cuda_array(type("Array", (), {"__cuda_array_interface__": a.__cuda_array_interface__})())
    a.get_ipc_handle()
    equal(other, np.arange(4))
    equal(a, np.arange(4))


def test_records_keep_their_dtype():
    dtype = np.dtype([("x", np.int8), ("y", np.float64)], align=True)
    rows = np.zeros(3, dtype)
    rows["y"] = 1.5
    d = cuda.to_device(rows)
    assert child.run('''
handle = pickle.load(sys.stdin.buffer)
with handle as a:
    print(a.copy_to_host()["y"].sum(), a.dtype == np.dtype([("x", np.int8), ("y", np.float64)], align=True))
''', pickle.dumps(d.get_ipc_handle())).strip() == "4.5 True"


def test_raw_handles():
    a = cuda.to_device(np.arange(10, dtype=np.int16))
    handle = cuda.current_context().get_ipc_handle(a.gpu_data)
    assert len(handle.handle) == 64 and handle.size == 20
    data = pickle.dumps((handle.handle, handle))
    assert child.run('''
raw, handle = pickle.load(sys.stdin.buffer)
with cuda.open_ipc_array(raw, shape=(2, 3), dtype=np.int16, offset=4) as a:
    print(a.copy_to_host().tolist())
memory = handle.open(cuda.current_context())
print(memory.size, type(memory).__name__)
''', data).split("\n")[:2] == ["[[2, 3, 4], [5, 6, 7]]", "20 MemoryPointer"]


def test_what_cannot_be_shared():
    a = cuda.to_device(np.arange(3))
    handle = a.get_ipc_handle()
    with raises(CudaAPIError, "Call to cuIpcOpenMemHandle results in CUDA_ERROR_INVALID_CONTEXT"):
        handle.open()
    with raises(ValueError, "empty array"):
        cuda.device_array(0).get_ipc_handle()
    with raises(ValueError, "no IPC handle"):
        with cuda.open_ipc_array(b"short", 3, np.int8):
            pass
    with raises(CudaAPIError):
        with cuda.open_ipc_array(bytes(64), 3, np.int8):
            pass
    unseen = pickle.loads(pickle.dumps(handle))
    unseen._ipc_handle.source_info["uuid"] = "GPU-none"
    with raises(ValueError, "does not see the device GPU-none"):
        unseen.open()
