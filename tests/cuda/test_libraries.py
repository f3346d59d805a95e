"""numbapro.cudalib and its later names: Fourier transforms."""
import subprocess
import sys

from common import BUILD, cuda, np, raises

from numbapro.cudalib import cufft

rng = np.random.default_rng(3)


def values(shape, dtype):
    array = rng.random(shape)
    return (array + 1j * rng.random(shape)).astype(dtype) if np.dtype(dtype).kind == "c" \
        else array.astype(dtype)


def close(got, expected):
    got = got.copy_to_host() if hasattr(got, "copy_to_host") else got
    tolerance = 1e-4 if got.dtype in (np.float32, np.complex64) else 1e-11
    np.testing.assert_allclose(got, expected, rtol=tolerance,
                               atol=tolerance * max(1, np.abs(expected).max()))


def test_names():
    import accelerate.cuda.fft
    import pyculib.fft
    from numbapro import cudalib
    assert accelerate.cuda.fft is pyculib.fft is cudalib.cufft is cufft
    assert accelerate.__version__


def test_a_package_of_that_name_comes_first():
    program = ("import sys, types\nsys.path.insert(0, sys.argv[1])\n"
               "import gridcell; gridcell.activate()\nimport accelerate\nprint(accelerate.MINE)")
    import pathlib
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "accelerate.py").write_text("MINE = 5\n")
        done = subprocess.run([sys.executable, "-c", program, folder], capture_output=True, text=True,
                              env={"PYTHONPATH": str(BUILD / "python")})
    assert done.stdout == "5\n", done.stderr


def test_complex_transforms():
    for dtype in (np.complex64, np.complex128):
        for shape in ((64,), (8, 12), (4, 6, 8)):
            a = values(shape, dtype)
            out = np.zeros_like(a)
            assert cufft.fft(a, out) is out
            close(out, np.fft.fftn(a))
            close(cufft.fft(a), np.fft.fftn(a))
            close(cufft.ifft(a), np.fft.ifftn(a) * a.size)  # not divided, as in cuFFT
            b = a.copy()
            cufft.fft_inplace(b)
            close(b, np.fft.fftn(a))
            cufft.ifft_inplace(b)
            close(b, a * a.size)


def test_device_arrays():
    a = values((16, 16), np.complex64)
    stream = cuda.stream()
    d = cuda.to_device(a, stream=stream)
    result = cufft.fft(d, stream=stream)
    assert cuda.is_cuda_array(result)
    cufft.fft_inplace(d, stream=stream)
    stream.synchronize()
    close(d, np.fft.fftn(a))
    close(result, np.fft.fftn(a))
    cufft.ifft_inplace(d)
    close(d, a * a.size)
    transposed = cuda.to_device(np.asfortranarray(a))
    close(cufft.fft(transposed), np.fft.fftn(a))


def test_real_transforms():
    for real, whole in ((np.float32, np.complex64), (np.float64, np.complex128)):
        a = values((6, 8), real)
        half = np.empty((6, 5), whole)
        cufft.FFTPlan(a.shape, real, whole).forward(a, half)
        close(half, np.fft.rfftn(a))
        back = np.empty_like(a)
        cufft.FFTPlan(a.shape, whole, real).inverse(half, back)
        close(back, a * a.size)
        close(cufft.fft(a), np.fft.fftn(a))


def test_batches():
    a = values((3, 16), np.complex64)
    plan = cufft.FFTPlan(16, np.complex64, np.complex64, batch=3)
    close(plan.forward(a), np.fft.fft(a, axis=1))
    close(plan.inverse(cuda.to_device(a)), np.fft.ifft(a, axis=1) * 16)
    assert plan.direction == "both"


def test_what_is_refused():
    with raises(ValueError, "Invalid type combination"):
        cufft.FFTPlan((4,), np.complex64, np.complex128)
    with raises(ValueError, "1 to 3 dimensions"):
        cufft.FFTPlan((2, 2, 2, 2), np.complex64, np.complex64)
    with raises(ValueError, "no transforms"):
        cufft.FFTPlan((0,), np.complex64, np.complex64)
    plan = cufft.FFTPlan((4,), np.float32, np.complex64)
    with raises(ValueError, "goes forward only"):
        plan.inverse(np.zeros(3, np.complex64))
    with raises(ValueError, "a plan for arrays of shape (4,)"):
        plan.forward(np.zeros(5, np.float32))
    with raises(ValueError, "`out` is an array of shape (3,)"):
        plan.forward(np.zeros(4, np.float32), np.zeros(4, np.complex64))
    with raises(ValueError, "only complex arrays are transformed in place"):
        cufft.fft_inplace(np.zeros(4))
