"""Wrong answers to the exercises of notebook 07, and what the checks say of them."""
from answers import cases_of

from gridcell.course import checks_07

LATER = """def sum_of_pieces(add_up, pieces, length):
    total = cuda.to_device(np.zeros(1))
    stream = cuda.stream()
    for piece in list(pieces):
        if piece.size:
            add_up[(piece.size + 127) // 128, 128, stream](cuda.to_device(piece), total)
    stream.synchronize()
    return float(total.copy_to_host()[0])
"""
KEPT = """def sum_of_pieces(add_up, pieces, length):
    total = cuda.to_device(np.zeros(1))
    there = [cuda.to_device(piece) for piece in pieces if piece.size]
    for piece in there:
        add_up[(piece.size + 127) // 128, 128, cuda.stream()](piece, total)
    cuda.synchronize()
    return float(total.copy_to_host()[0])
"""
FRESH = """def many_steps(step, values, times):
    kept = [cuda.to_device(values)]
    for _ in range(times):
        kept.append(cuda.device_array_like(values))
        step[max(1, (values.size + 127) // 128), 128](kept[-2], kept[-1])
    return kept[-1].copy_to_host()
"""
WRONG = [
    (1, "many_steps = 1", "it is a function of step, values and times", "of type int"),
    (1, ("cuda.to_device(values)", "values.copy()"), "one step, with device arrays", "the kernel got ndarray as its argument 1"),
    (1, ("source.copy_to_host()", "source"), "one step, with device arrays", "an array is asked for"),
    (1, ("127) // 128), 128", "127) // 128), 64"), "one step, with device arrays", "a launch of 512 threads for 1000 elements"),
    (1, ("        source, target = target, source\n    return source", "    return target"), "an even number, and an odd one"),
    (1, ("return source.copy_to_host()", "return (source if times else target * 0).copy_to_host()"), "no step"),
    (1, ("max(1, (values.size + 127) // 128)", "(values.size + 126) // 128"), "one element", "1 element, 3 steps raised CudaAPIError"),
    (1, ("return source.copy_to_host()", "return source.copy_to_host(values)"), "the caller's array stays as it is"),
    (1, FRESH, "two device arrays", "13 different arrays"),

    (2, "frame = None", "it is a function of image, width and value", "Not answered yet"),
    (2, ("image[:, :width] = value\n", "pass\n"), "a frame of one", "image[1, 0]"),
    (2, ("rows - width", "rows - 1"), "wider ones"),
    (2, "def frame(image, width, value):\n    image[:width] = value\n    image[-width:] = value\n    image[:, :width] = value\n"
     "    image[:, -width:] = value\n", "no frame"),
    (2, ("if width == 0 or", "if width == 0 or 2 * width >= rows or"), "images that are all frame"),
    (2, ("    width = min", "    image[0, 0] = image[0, 0]\n    width = min"), "images without rows or columns", "raised"),

    (3, "seconds_of = 0.1", "it is a function of work and runs", "of type float"),
    (3, (" / 1000", ""), "seconds, not milliseconds", "takes 0.02 seconds"),
    (3, ("    work()\n    times", "    times"), "the first call is not measured", "takes no time when it is called first"),
    (3, ("    for _ in range(runs):\n        before, after = cuda.event(), cuda.event()\n        before.record()\n        work()\n",
         "    for _ in range(1):\n        before, after = cuda.event(), cuda.event()\n        before.record()\n"
         "        for _ in range(runs):\n            work()\n"), "so many runs, each by itself", "of 0.1 seconds each the result was"),
    (3, ("min(times)", "max(times)"), "the least of all", "0.3, 0.01 and 0.3"),
    (3, ("min(times)", "times[0]"), "the least of all"),

    (4, "in_parts = []", "it is a function of step, values, parts and streams", "of type list"),
    (4, ("cuda.to_device(buffer[begin:end], stream=stream)", "buffer[begin:end]"), "one part, one stream", "got"),
    (4, ("return buffer.copy()", "return values"), "one part, one stream"),
    (4, ("(part + 1) * values.size // parts", "values.size"), "parts that come out even"),
    (4, ("part * values.size // parts, (part + 1) * values.size // parts",
         "part * (values.size // parts), (part + 1) * (values.size // parts)"), "parts that do not"),
    (4, ("part * values.size // parts, (part + 1) * values.size // parts",
         "part * (values.size // parts), (part + 1) * (values.size // parts) if part + 1 < parts else values.size"),
     "each part has a launch of its own, and none is too large", "250, 250, 250, 253"),
    (4, ("        if begin < end:\n", "        if values[begin] is not None:\n"), "more parts than elements, and no elements"),
    (4, ("queues[part % streams]", "queues[0]"), "so many streams, and not the default one", "on 1 streams"),
    (4, ("128, stream]", "128]"), "so many streams, and not the default one", "and the default one"),

    (5, "sum_of_pieces = 0", "it is a function of add_up, pieces and length", "of type int"),
    (5, ("np.zeros(1)", "np.ones(1)"), "one piece"),
    (5, (" + totals[1].copy_to_host()[0]", ""), "several"),
    (5, ("(part, totals[k])", "(there[k], totals[k])"), "of different lengths"),
    (5, ("        if piece.size == 0:\n            continue\n", ""), "pieces without elements, and no pieces"),
    (5, ("for number, piece in enumerate(pieces):", "k = 0\n    pieces = list(pieces)\n    piece = pieces[0]\n"
         "    for number, piece in enumerate(pieces):"), "pieces without elements, and no pieces", "IndexError"),
    (5, LATER, "an array that the iterator uses again"),
    (5, KEPT, "two buffers", "from 20 buffers"),
]
globals().update(cases_of(7, checks_07, WRONG))
