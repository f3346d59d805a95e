"""pytensor: graphs of elementwise functions, reductions, indices, linear algebra, loops, random numbers and gradients"""
import numpy as np
import pytensor
import pytensor.tensor as pt

pytensor.config.cxx = ""
pytensor.config.numba__cache = False
numbers = np.random.default_rng(1)
square, row = numbers.normal(size=(6, 6)), numbers.normal(size=6)
positive, places = square @ square.T + 6 * np.eye(6), np.array([3, 1, 2, 0, 1, 5])


def show(name, results):
    print(name, *(repr(float(np.sum(np.asarray(result, float)))) for result in results))


def run(name, make, *values):
    inputs = [pt.as_tensor(value).type() for value in values]
    function = pytensor.function(inputs, make(*inputs), mode="NUMBA", on_unused_input="ignore")
    show(name, function(*values))


def loop(s, m):
    states = pytensor.scan(lambda x, before, m: pt.tanh(x + before @ m), sequences=s, outputs_info=pt.zeros(6), non_sequences=m,
                           return_updates=False)
    return [states, *pt.grad(states[-1].sum(), [s, m])]


def draws(locations):
    generator = pytensor.shared(np.random.default_rng(5))
    following, normal = pt.random.normal(locations, 2.0, rng=generator).owner.outputs
    return [normal, pt.random.gamma(2.0, scale=0.5, size=(4,), rng=following), pt.random.categorical(pt.special.softmax(locations),
                                                                                             size=(5,), rng=generator)]


run("elementwise", lambda x, y: [pt.exp(x)[:, None] * pt.sin(y) + x, pt.gammaln(abs(x) + 1), pt.erf(x), pt.sigmoid(y) // 0.1], row, square)
run("reduced", lambda x: [x.sum(), x.max(0), x.mean(1), x.prod(0), pt.argmax(x, 1), x.var(), pt.cumsum(x, 0), pt.logsumexp(x, 1)], square)
run("indexed", lambda x, i: [x[1:, ::-1], x[i], x[i, i], x[x > 0], pt.set_subtensor(x[i, 1], 0.0), pt.inc_subtensor(x[i], 1.0),
                             pt.sort(x, 0), pt.argsort(x, 1)], square, places)
run("joined", lambda x: [pt.concatenate([x, x.T], 1), pt.stack([x, x]), pt.tile(x, (2, 1)), pt.pad(x, 1, mode="reflect")], square)
run("solved", lambda a, b: [pt.linalg.solve(a, b), pt.linalg.cholesky(a), pt.linalg.inv(a), pt.linalg.det(a), abs(pt.linalg.svd(a)[1]),
                            abs(pt.linalg.qr(a)[1]), pt.linalg.solve_triangular(a, b, lower=True), pt.linalg.slogdet(a)[1],
                            pt.linalg.solve(a, b, assume_a="pos"), *pt.linalg.lu_factor(a), pt.linalg.eigh(a)[0]], positive, row)
run("repeated", loop, numbers.normal(size=(8, 6)), square / 4)
run("drawn", draws, row)
run("gradients", lambda a, b: [*pt.grad((pt.tanh(a @ b) ** 2).sum() + pt.linalg.slogdet(a)[1] + pt.linalg.cholesky(a).sum(), [a, b]),
                               pytensor.gradient.hessian((b ** 3).sum(), b)], positive, row)
