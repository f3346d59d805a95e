"""CUDA's vector types."""
from common import cuda, equal, np, raises


def test_made_of_scalars_and_vectors():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        a = cuda.float32x2(i, 0.1)
        b = cuda.float3(a, 7)
        c = cuda.float32x4(1, cuda.int2(2, 3), 4.5)
        out[i, 0] = b.x + b.z
        out[i, 1] = a.y
        out[i, 2] = c.y * c.z + c.w

    out = np.zeros((8, 3))
    kernel[1, 8](out)
    equal(out[:, 0], np.arange(8) + 7.0)
    equal(out[:, 1], np.full(8, np.float32(0.1), float))  # float32's value
    equal(out[:, 2], np.full(8, 10.5))


def test_integers_wrap():
    @cuda.jit
    def kernel(out):
        v = cuda.uchar4(300, -1, 2.9, True)
        out[0], out[1], out[2], out[3] = v.x, v.y, v.z, v.w

    out = np.zeros(4, np.int64)
    kernel[1, 1](out)
    equal(out, [44, 255, 2, 1])


def test_as_arguments_and_results():
    @cuda.jit(device=True)
    def turned(v):
        return cuda.float64x2(-v.y, v.x)

    @cuda.jit
    def kernel(out, v):
        w = turned(v)
        out[0], out[1] = w.x, w.y

    out = np.zeros(2)
    kernel[1, 1](out, cuda.double2(3, 4))
    equal(out, [-4.0, 3])


def test_on_the_host():
    v = cuda.float32x3(1, cuda.float32x2(2, 3))
    assert (v.x, v.y, v.z) == (1, 2, 3) and type(v.x) is np.float32
    assert cuda.float4 is cuda.float32x4 and cuda.ulonglong2 is cuda.uint64x2
    with raises(TypeError, "float32x3 takes 3 numbers, 2 were given"):
        cuda.float3(1, 2)


def test_wrong_arguments():
    @cuda.jit
    def few(out):
        out[0] = cuda.float3(1, 2).x

    @cuda.jit
    def text(out):
        out[0] = cuda.float2("a", 2).x

    @cuda.jit
    def field(out):
        out[0] = cuda.float2(1, 2).z

    for kernel, words in ((few, "takes 3 numbers, 2 were given"), (text, "real numbers"),
                          (field, "Unknown attribute 'z'")):
        with raises(Exception, words):
            kernel[1, 1](np.zeros(1))
