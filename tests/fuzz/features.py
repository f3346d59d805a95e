"""Random functions of one construct beside another: closures, generators, reductions, records...

Their numbers stay small, so that plain Python, as it is, says what compiled code has to give."""
import re

ARGUMENTS = (
    ("n", ("0", "1", "3", "5", "-2")),
    ("x", ("0.5", "-1.25", "2.0", "0.0")),
    ("s", ("''", "'abc'", "'x,y,,z'", "'Ünï é'", "'a 1 b'")),
    ("l", ("[1]", "[3, 1, 2]", "[5, -5, 0, 7, 7]")),
    ("a", ("np.arange(6)", "np.array([4, -2, 9, 1])", "np.arange(10)[::2]", "np.arange(5)[::-1]")),
    ("m", ("np.arange(12.0).reshape(3, 4)", "np.ones((2, 3)) / 4", "np.arange(12.0).reshape(4, 3).T",
           "np.asfortranarray(np.arange(6.0).reshape(2, 3))")),
    ("d", ("{1: 2}", "{0: 5, 3: -1, 7: 7}")),
    ("r", ("np.array([(1, 2.5), (-3, 0.25)], RECORD)", "np.zeros(3, RECORD)")),
    ("t", ("np.array(['2020-02-28', '2021-01-01', 'NaT'], 'M8[D]')", "np.array(['1999-12-31'], 'M8[D]')")),
)

# What the holes of the snippets below are filled with.
WORDS = {
    "i": ("0", "1", "2", "-1", "3", "n", "len(l)", "(n + 1)", "l[0]", "a[-1]", "len(s)"),
    "k": ("1", "2", "3", "4"),
    "f": ("0.5", "x", "2.0", "(x + 1)", "m[0, 0]", "float(n)"),
    "b": ("n > 1", "x < 1.0", "len(s) > 2", "1 in d", "a[0] == 0", "True", "not l"),
    "s": ("s", "'-'", "'ab'", "s.upper()", "(s + 'q')", "str(n)", "s[1:]", "f'{n}:{x:.2f}'"),
    "l": ("l", "[1, 2]", "[q + 1 for q in l]", "l[::-1]", "sorted(l)", "list(range(4))"),
    "a": ("a", "a[1:]", "(a + 1)", "a * 2", "np.arange(5)", "a[::-1]", "np.array(l)", "a.copy()"),
    "m": ("m", "(m * 2 - 1)", "m[:, ::-1]", "m[::-1]", "(m + m[0])", "m.copy()", "np.sqrt(m)"),
    "axis": ("0", "1", "-1"),
    "reduce": ("sum", "prod", "min", "max", "mean"),
    "initial": ("sum", "prod", "min", "max"),
    "ufunc": ("np.add", "np.multiply", "np.minimum", "np.maximum"),
    "op": ("+", "-", "*"),
    "cmp": ("<", ">", "==", "!="),
    "unit": ("D", "h", "s"),
    "error": ("ValueError", "IndexError", "KeyError", "ZeroDivisionError", "Exception", "(KeyError, IndexError)"),
    "raise": ("raise ValueError(n, s)", "raise IndexError(f'at {n}')", "l[100]", "n // 0", "d[99]", "pass",
              "a[50]", "raise KeyError(s)", "s[77]", "assert n == 77, s", "raise ZeroDivisionError"),
    "random": ("random()", "randint(1, 50)", "normal(0.0, 2.0)", "uniform(-1.0, 1.0)", "exponential(2.0)",
               "permutation(6)", "standard_normal(3)", "poisson(3.0)", "binomial(10, 0.5)", "gamma(2.0, 1.0)",
               "choice(a)", "beta(1.0, 2.0)", "randn(2, 2)", "geometric(0.25)"),
    "python": ("random()", "randrange(10)", "uniform(0, 2)", "gauss(0.0, 1.0)", "randint(1, 9)",
               "expovariate(1.5)", "triangular(0.0, 1.0, 0.5)", "getrandbits(12)"),
    "dtype": ("np.int8", "np.uint8", "np.int16", "np.uint16", "np.int32", "np.uint32", "np.int64", "np.float64"),  # float32 and integers: float32 in numba
    "whole": (":d", ":5d", ":<6", ":>6", ":^7", ":+d", ":05d", ":x", ":#x", ":b", ":o", ":,", ":_d", ": d", ":e", ":.2f", ":*^9d", ":c=3"),
    "real": (":.2f", ":8.3f", ":<9.1f", ":+.1e", ":g", ":.3g", ":010.2f", ":,.2f", ":%", ":.1%", ":>12", ":^+11.2f", ":#.0f", ":F", ":G"),
    "text": (":>6", ":<6", ":^6", ":*^8", ":.2", ":8.1", ":s", "!r", "!s", "!r:>9", "!a", ":"),
    "slice": ("::-1", "{i}:", ":{i}", "{i}:{i}", "::{k}", "::-{k}", "{i}::-1", ":{i}:-1", "{i}:{i}:-{k}", "{i}:{i}:{k}", "-1:-{k}:-1", "{k}:0:-1", ":"),
}

# The statements of a construct, `R` stands for where its result goes, `_` ends names of its own.
SNIPPETS = (
    # inner functions, closures, lambdas
    "c_ = {i}\ndef inc_(k):\n    nonlocal c_\n    c_ += k\n    return c_ * 2\nR = (inc_({i}), inc_({k}), c_)",
    "def outer_(k):\n    def inner_(j):\n        return j {op} k + {i}\n    return inner_\nR = outer_({i})({k})",
    "t_ = []\ndef push_(v):\n    t_.append(v)\n    return len(t_)\nR = (push_({i}), push_({k}), t_)",
    "w_ = {s}\ndef say_(p, q={i}):\n    return p + w_ + str(q)\nR = (say_({s}), say_('z', {k}), say_(q=1, p={s}))",
    "def fact_(k):\n    if k < 2:\n        return 1\n    return k * fact_(k - 1)\nR = fact_({k})",
    "R = [(lambda p, q=k_: p {op} q)({i}) for k_ in {l}]",
    "z_ = {l}\ndef swap_():\n    nonlocal z_\n    z_ = z_ + [{i}]\n    return z_\nswap_()\nR = (swap_(), z_)",
    "u_ = {f}\nfor i_ in range(3):\n    def step_():\n        nonlocal u_\n        u_ = u_ * 0.5 + i_\n    step_()\nR = u_",
    # generators
    "def gen_(k):\n    for i_ in range(k):\n        if i_ == 2 and {b}:\n            return\n        yield i_ * 2 + {k}\nR = [q for q in gen_({k})]",
    "R = sum(q {op} {k} for q in {l} if q {cmp} {i})",
    "it_ = iter({l})\nR = (next(it_), [q for q in it_])",
    "R = [(p, q) for p, q in zip({l}, {s})]",
    "R = (list(map(lambda v: v * {k}, {l})), list(filter(lambda v: v > {i}, {l})))",
    "R = [(i_, w_, v_) for i_, (w_, v_) in enumerate(zip({s}, reversed({l})))]",
    "def words_(text):\n    for w_ in text.split(','):\n        try:\n            yield w_ + {s}\n        finally:\n            t_.append(w_)\nt_ = ['']\no_ = ''\nfor q_ in words_({s}):\n    o_ += q_\n    if {b}:\n        break\nR = (o_, len(t_) > 0)",
    "R = ''.join(w_.title() for w_ in {s}.split(' ') if {b})",
    # exceptions
    "o_ = 0\ntry:\n    o_ += 1\n    {raise}\nexcept {error}:\n    o_ += 10\nfinally:\n    o_ += 100\nR = o_",
    "o_ = [{i}]\nfor i_ in range(4):\n    try:\n        if i_ == {k}:\n            {raise}\n        if {b}:\n            continue\n        o_.append(i_)\n    except {error}:\n        o_.append(-1)\n        break\n    else:\n        o_.append(50)\n    finally:\n        o_.append(100)\nR = o_",
    "def risk_(k):\n    t_ = [str(k), {s}]\n    try:\n        if k > 1:\n            {raise}\n        return t_[0]\n    except {error}:\n        return t_[1]\n    finally:\n        t_.append('end')\nR = (risk_(0), risk_({i}))",
    "o_ = {s}\ntry:\n    try:\n        {raise}\n    except ZeroDivisionError:\n        o_ += 'inner'\n        raise\n    finally:\n        o_ += 'f'\nexcept Exception:\n    o_ = o_ + 'outer'\nR = o_",
    "o_ = {l}\nif {b}:\n    {raise}\nR = o_",
    # match
    "match {i}:\n    case 0 | 1:\n        o_ = 'few'\n    case k_ if k_ < 0:\n        o_ = 'neg' + str(k_)\n    case k_:\n        o_ = {s} + str(k_)\nR = o_",
    "match ({i}, {s}):\n    case (0, _):\n        o_ = ''\n    case (p_, 'abc'):\n        o_ = str(p_)\n    case (p_, q_):\n        o_ = q_ * 2\nR = o_",
    "match {s}:\n    case 'abc' | '':\n        o_ = 1\n    case _:\n        o_ = 2\nR = o_",
    # strings
    "R = ({s}.split(), {s}.partition(','), {s}.find({s}), {s}.replace({s}, 'Q', {k}), {s}.center(9, '*'))",
    "R = (f'{x:>8.3f}|{n:+d}|{s!r}|{n:05}|{x:e}', '%d-%s-%.1f' % ({i}, {s}, {f}), '{}/{:>4}'.format({s}, {i}))",
    "R = ({s}.casefold(), {s}.isalnum(), {s}.rfind('a'), {s}.splitlines())",
    "R = (str({f}), repr({s}), str({l}), str({b}), str(({i}, {f})))",
    "R = (int('12') + {i}, float('1.5') * {k}, max({s} + 'a'), sorted({s}), {s}[::-1].swapcase())",
    # containers of one another
    "o_ = {q: [q, {k}] for q in {l}}\nfor k_ in o_:\n    o_[k_].append(len(o_[k_]))\nR = o_",
    "o_ = [{i}]\no_.clear()\ne_ = [o_, [1]]\ne_[0].append({i})\ne_.append(e_[0])\nR = e_",
    "o_ = {({i}, {s}): {f}, (9, 'k'): 1.5}\nR = (o_[(9, 'k')], len(o_), ({i}, {s}) in o_)",
    "o_ = {s: {'z': {i}}}\no_[{s}] = {'y': {k}}\nR = [(k_, v_) for k_, v_ in o_.items()]",
    "u_ = {q % 3 for q in {l}} | {1}\nu_.add({i})\nu_.discard(2)\nR = (sorted(u_), len(u_), u_ <= {0, 1, 2, 3}, sorted(u_ ^ {1, 5}))",
    "R = [sorted({p, q}) for p in {l} for q in (1, {i})]",
    "o_ = [np.ones(2), np.zeros(3)]\no_.append(m[0] * {f})\nR = (o_[::-1], sum([q.sum() for q in o_]))",
    "o_ = [[q] * {k} for q in {l}]\no_[0] += [{i}]\no_.sort()\nR = (o_, o_[-1].pop(), o_)",
    "o_ = d.copy()\no_.update({{i}: {k}})\nR = (o_, o_.pop({i}), o_.setdefault(5, {i}), list(o_.items()))",
    "(p_, *q_), z_ = (1, {i}, {k}), {s}\nR = (p_, q_, z_)",
    "o_ = {l}\no_[{i}:{i}] = {l}\ndel o_[:1]\no_ *= 2\nR = (o_, o_.count({i}), o_[::2])",
    # indexing
    "R = {a}[np.array([0, {k}, -1])]",
    "R = {m}[np.array([0, 1, -1]), np.array([1, 0, {k}])]",
    "R = {m}[{m} > {f}]",
    "o_ = {m}.copy()\no_[np.array([1, 0])] = {f}\no_[:, 0] += {i}\nR = o_",
    "o_ = {m}.copy()\no_[o_ > {f}] = {i}\nR = o_",
    "R = ({m}[..., {i}], {m}[None, 1:], {m}[-1, np.array([True, False, True, False])[:{m}.shape[1]]])",
    "o_ = {a}.copy()\no_[[0, {k}]] = {l}[0]\no_[a[:0]] = 5\nR = o_",
    "R = np.take({m}, np.array([0, {k}]), {axis})",
    # reductions
    "R = np.{reduce}({m}, axis={axis})",
    "R = {m}.{reduce}(axis={axis}, keepdims=True)",
    "R = np.{initial}({m}, axis={axis}, initial={f})",
    "R = np.{initial}({m}, initial={f}, where={m} > {f})",
    "R = np.sum({a}, where={a} {cmp} {i})",
    "R = (np.any({m} > {f}, axis={axis}), np.all({a} {cmp} {i}), np.count_nonzero({m}, axis={axis}))",
    "R = (np.argmax({m}, axis={axis}), np.argmin({a}), np.ptp({m}, axis={axis}))",
    "R = (np.var({m}, axis={axis}), np.std({m}), np.median({m}, axis={axis}), np.average({a}))",
    "R = (np.cumsum({m}, axis={axis}), np.diff({a}), np.cumprod({a}[:3]))",
    "R = (np.quantile({m}, {f} / 4), np.percentile({a}, 25.0), np.nanquantile({m}, 0.5))",
    "R = np.quantile({m}, np.array([0.25, 0.5]), axis={axis})",
    "R = (np.sort({m}, axis={axis}), np.argsort({a}, kind='mergesort'), np.unique({a}), np.searchsorted(np.arange(4), {i}))",
    "R = {ufunc}.reduce({a})",
    "R = np.einsum('ij,kj->ik', {m}, m)",
    "R = (np.dot({m}, m.T), np.outer({a}, {a}), {m} @ m[0])",
    # array expressions and whole arrays
    "R = np.where({m} {cmp} {f}, {m} {op} {f}, {m} * {k})",
    "o_ = np.zeros_like({a})\no_[:] = {a}[:1] {op} {k}\no_ += {i}\nR = o_",
    "o_ = np.empty((2, 3))\no_[:] = np.sqrt(np.abs({f})) + np.arange(3) {op} {i}\no_[0] = o_[1] * {k}\nR = o_",
    "o_ = {a}.copy()\no_[1:] = o_[:-1] {op} {k}\nR = o_",
    "o_ = {a}.copy()\no_[:] = o_[::-1] + o_\nR = o_",
    "R = np.clip({m}, {f}, 3.0) {op} np.sin({m}) ** 2 + np.cos({m}) ** 2",
    "R = {ufunc}({m}, {f}) {op} {m}",
    "R = (np.concatenate(({a}, {a})), np.stack(({a}, {a} * 2)), np.vstack(({m}, {m})), np.pad({a}, {k}))",
    "R = (np.repeat({a}, 2), np.tile({a}, {k}), np.roll({m}, 1, {axis}), np.flip({m}), {m}.ravel())",
    "R = ({m}.reshape(-1), np.transpose({m}), {a}.astype(np.float32), {a}.astype(np.int8) {op} np.int8({k}))",
    "R = (np.linspace(0, {f}, {k}), np.arange(0, {k}, 0.5), np.eye({k}), np.full((2, {k}), {i}), np.histogram({a}, 3)[0])",
    "R = (np.bincount(np.abs({a})), np.digitize({m}[0], np.array([0.5, 2.0])), np.interp({f}, np.arange(3.0), m[0, :3]))",
    "R = [q.sum() for q in {m}] + [v for v in {a}[:2] * 0.5]",
    "R = (np.int8({k}) {op} np.int8(3), np.uint8({k}) * np.uint8(2), np.float32({f}) * 2)",
    # indices that may be out of bounds, in all places that bounds are asked about
    "R = ({a}[{i}] + {a}[{k} - {i}], {m}[{i}, {k}], {m}[{i}][{k}])",
    "o_ = {a}.copy()\no_[{i}] = {k}\no_[-{k}] += 1\nR = o_",
    "o_ = 0\nv_ = {a}\nfor i_ in range({k} + {i}):\n    o_ += v_[i_]\nR = o_",
    "o_ = 0\nv_ = {a}\nfor i_ in range({k}, len(v_)):\n    o_ += v_[i_] {op} v_[i_ - {k}] + v_[-i_]\nR = o_",
    "o_ = 0.0\nk_ = {i}\nfor i_ in range(m.shape[0] - {i}):\n    o_ = o_ / 2 + m[i_ + k_, {k}] * m[-i_ - 1, i_ % m.shape[1]]\nR = o_",
    "o_ = 0\nk_ = {i}\nv_ = {a}\nfor i_ in range({k}, -{k}, -1):\n    o_ += v_[k_ - i_] {op} {k}\nR = o_",
    "o_ = np.zeros(6)\nfor i_ in range({k}):\n    for j_ in range({i}):\n        o_[i_ + j_] += a[j_] {op} {k}\nR = o_",
    "o_ = {a}.copy()\ni_ = {i}\nwhile o_[i_] < {k}:\n    o_[i_] += 2\n    i_ += 1\nR = o_",
    "o_ = 0\ntry:\n    for i_ in range({k} + {i}):\n        o_ += a[i_ + {k}]\nexcept IndexError:\n    o_ -= 1000\nR = o_",
    "o_ = {m}.copy()\nfor i_ in range({i} + 1):\n    if i_ % 2 == 0:\n        continue\n    o_[i_ - 1, {k}] = i_\n    if {b}:\n        break\nR = o_",
    # lists, tuples and truths as indices
    "R = ({m}[[0, {k}]], {m}[(0, {k})], {m}[:, [0, -1, 1]], {m}[[1, 0], [0, {k}]], {a}[[{i}, {k}, 0]])",
    "R = ({m}[[True, False, True][:{m}.shape[0]]], {m}[{m}[:, 0] > {f}, {k}], {m}[{m}[:, 0] > {f}, 1:])",
    "R = ({m}[1:, {m}[0] > {f}], {m}[{m}[:, 0] > {f}][:, {m}[-1] < {f}], {a}[[q % 2 == 0 for q in {a}]])",
    "R = ({m}[None, [0, 1]], {m}[..., None, 0], {m}[[[0, 1], [1, 0]]], {m}[True], {a}[False], {m}[[0, {k}], ..., 0])",
    "o_ = {m}.copy()\no_[[0, -1]] += {f}\no_[o_[:, 0] > {f}, 0] = {i}\no_[:, [0, {k}]] *= {k}\nR = o_",
    "o_ = {m}.copy()\no_[[0, {k}], [1, 0]] = [{f}, {f}]\no_[o_ > 1, ...] -= {k}\no_[0] = {k}\nR = o_",
    # reductions of expressions
    "R = (({m} {op} {f}).sum(), np.max({m} * {k} - {f}), ({a} {cmp} {i}).sum(), np.mean({m} {op} m[0]))",
    "R = (np.abs({m} {op} {f}).{reduce}(), ({m} {op} m[0]).{reduce}(axis={axis}), np.any({m} {op} {f} > {k}))",
    "R = (np.all(({a} + {i}) {cmp} {k}), np.count_nonzero({a} % {k}), (({m} {cmp} {f}) & ({m} > {k})).sum(axis={axis}))",
    "R = (np.argmax({m} {op} {f}), np.argmin({a} * {k} - {i}), np.var({m} {op} {f}), np.ptp({m} * {f}), np.prod({a}[:4] + {i}))",
    "R = (np.dot({a} + {i}, {a} * {k}), sum({a} * {k}), max({a} {op} {k}), np.nansum({m} {op} {f}), np.nanmax({m} / {k}))",
    "o_ = 0.0\nfor i_ in range({k}):\n    o_ += ({m}[:, :2] {op} i_).{reduce}() + ({m}[0] * {f}).max()\nR = o_",
    "R = (np.sum(np.where({m} {cmp} {f}, {m}, {k})), ({a}[1:] {op} {a}[:-1]).{reduce}(), (np.arange({k}) {op} {i}).sum())",
    "R = (np.add.reduce({a} {op} {k}), ({a} * 2.5).astype(np.int64).sum(), np.sqrt(np.sum(({m} - {f}) ** 2)), ({a} > {i}).mean())",
    # stacks of matrices
    "v_ = np.ones(({k}, 2, 2)) * {f} + np.eye(2) * 7\nR = (np.linalg.det(v_), np.linalg.inv(v_), np.linalg.solve(v_, np.ones(({k}, 2, 1))), v_ @ v_)",
    # dates
    "R = (t[0] - t[-1], t[0] + np.timedelta64({k}, '{unit}'), t[0] {cmp} t[-1])",
    "R = (t[0] + np.timedelta64({k}, '2D'), (t[-1] - t[0]) // np.timedelta64({k}, '{unit}'), t[{i}] - np.timedelta64(1, '12h'))",
    "R = (np.diff(t), t[:-1] > t[1:], np.isnat(t), t + np.timedelta64({k}, 'D'))",
    # random numbers with a seed
    "np.random.seed({k})\nR = (np.random.{random}, np.random.{random}, np.random.{random})",
    "random.seed({k})\nR = (random.{python}, random.{python}, [random.{python} for _ in range(3)])",
    "o_ = np.arange(8)\nnp.random.seed({k})\nnp.random.shuffle(o_)\nR = (o_, np.random.rand(2))",
    # prange
    "o_ = 0.0\nv_ = {a}\nfor i_ in prange(len(v_)):\n    o_ += v_[i_] * {k}\nR = o_",
    "o_ = np.zeros(len(a))\nc_ = 0\nfor i_ in prange(len(a)):\n    if a[i_] {cmp} {i}:\n        c_ += 1\n    o_[i_] = a[i_] {op} {f}\nR = (o_, c_)",
    "o_ = -100\nfor i_ in prange(a.size):\n    o_ = max(o_, a[i_] {op} {k})\nR = o_",
    "o_ = np.zeros(3)\nfor i_ in prange({k}):\n    o_ += np.arange(3) * i_\nR = o_",
    "o_ = 1\nfor i_ in prange({k}):\n    t_ = [j_ * i_ for j_ in range(3)]\n    o_ *= 1 + sum(t_)\nR = o_",
    "o_ = np.zeros((3, 4))\nfor i_ in prange(3):\n    for j_ in range(4):\n        o_[i_, j_] = i_ {op} j_\n    if {b}:\n        o_[i_] += {f}\nR = o_.sum(axis={axis})",
    # structured arrays
    "o_ = 0.0\nfor e_ in r:\n    o_ += e_.p * e_['q']\nR = (o_, r.q.sum(), r['p'] + {k})",
    "r[0].p = {i}\nr[0]['q'] = {f}\nr.q[-1] += {k}\nR = (r['q'].copy(), r[0].p)",
    "o_ = r.copy()\no_[0] = o_[-1]\no_['p'][:] = {i}\nR = o_",
    # jitclass
    "o_ = Box({i}, {s})\no_.grow({k})\no_ += {i}\nR = (o_.size, o_.double, o_.name, o_.items, len(o_), Box.make().size)",
    "o_ = [Box(q, {s}) for q in {l}]\no_[0].grow(5)\nR = ([q.size for q in o_], o_[-1].items, o_[0] == o_[-1])",
    "o_ = Box({i}, 'b')\nfor q_ in {l}:\n    o_.items.append(q_)\no_.other = o_.items\no_.other.append({i})\nR = (o_.items, o_.other, risky(o_, {i}))",
    # formats
    "R = (f'{{i}{whole}}|{{f}{real}}|{{s}{text}}', f'{{f}{real}}{{i}{whole}}')",
    "w_ = {k} + 3\nR = (f'{{s}:>{w_}}', f'{{f}:{w_}.{2}f}', f'{{i}:0{w_}d}', f'{n=} {x=:.2f} {{b}}')",
    "R = ('%5d|%-4d|%+d|%05d' % ({i}, {i}, {k}, {i}), '%8.2f|%e|%g' % ({f}, {f}, {f}), '%s|%5s|%-5s|' % ({s}, {s}, {s}), '%x %o %%' % ({k}, {k}))",
    "R = ('{}|{:>5}|{:.2f}'.format({i}, {s}, {f}), '{0}{1}{0}'.format({i}, {s}), '{:{}}'.format({i}, 6), '{a}-{b:>3}'.format(a={s}, b={k}))",
    "R = (str({a}.sum()), str({i} > 1), str(({s}, {i})), str([{f}, {f}]), repr({s}), str({k} / 3), str({f} * 1e20), str({f} / 1e7))",
    "R = (format({i}, '{whole}'[1:]), format({f}, '{real}'[1:]), hex({k}), bin({k}), oct({k}))",
    # slices
    "R = ({a}[{slice}], {l}[{slice}], {s}[{slice}], {m}[{slice}, {slice}], {a}[{slice}][{slice}])",
    "o_ = {a}.copy()\no_[{slice}] = {i}\no_[{slice}] += {k}\nR = (o_, o_[{slice}].sum(), len(o_[{slice}]))",
    "o_ = {m}.copy()\no_[{slice}, {i}] = {f}\no_[{slice}] *= {k}\nR = (o_, o_[{slice}, {slice}].shape, o_[{slice}].sum(axis={axis}))",
    "o_ = list(range(8))\no_[{slice}] = {l}\nR = o_",
    "o_ = list(range(8))\ndel o_[{slice}]\nR = (o_, o_[{slice}])",
    "t_ = ({i}, {k}, 7, {i})\nR = (t_[1:], t_[::-1], t_[-2:], t_ + t_[:1], t_ * 2, {k} in t_, t_.index(7), t_.count({k}))",
    "e_ = slice({i}, {k})\nR = ({a}[e_], {l}[e_], {s}[e_], e_.start, e_.stop)",
    # typed containers
    "o_ = List.empty_list(int64)\nfor q_ in {l}:\n    o_.append(q_)\no_.insert({i}, {k})\no_.extend(o_)\nR = (o_, o_[{slice}], o_.pop({i}), len(o_), {k} in o_, o_.index({k}))",
    "o_ = List([{i}, {k}])\no_ += List([{k}])\no_[0] = {i}\no_.reverse()\no_.sort()\nR = (o_, [q for q in o_], o_ == List([{i}]), o_.count({k}), o_.copy())",
    "o_ = Dict.empty(unicode_type, int64)\no_[{s}] = {i}\no_['k'] = {k}\no_.update(o_.copy())\nR = (o_, o_.get({s}, 9), o_.pop({s}), sorted(o_), o_.setdefault('z', {i}), len(o_), {s} in o_)",
    "o_ = Dict.empty(int64, int64)\nfor q_ in {l}:\n    o_[q_ % 3] = o_.get(q_ % 3, 0) + {i}\nR = (o_, list(o_.items()), sum(o_.values()), max(o_), o_ == {0: {i}})",
    "o_ = List.empty_list(int64)\nfor q_ in range({k} + 3):\n    o_.append(q_)\no_[{slice}] = o_[:1]\ndel o_[{i}]\nR = o_",
    "u_ = set({l})\nu_ |= {{i}, {k}}\nu_ -= {2}\nR = (sorted(u_), len(u_), u_.isdisjoint({{i}}), sorted(u_ & {1, 2, 5}), u_ == {{k}}, sorted(u_.union({l})))",
    "u_ = {q for q in {s}}\nu_.update({'q', 'a'})\nu_.remove('q')\nR = (sorted(u_), 'a' in u_, len(u_ - {'a'}), u_ > {'a'})",
    "u_ = {(q, {s}) for q in {l}}\nu_.discard((1, 'a'))\nR = (len(u_), ({i}, {s}) in u_, sorted(u_))",
    # arguments that are written back
    "l.append({i})\nl[0] = {k}\nl.extend({l})\nR = len(l)",
    "d[{i}] = {k}\nd[{k}] = d.get({k}, 0) + 1\nR = (d.pop({k}), len(d))",
    "l.sort(reverse={b})\nl.insert({i}, {k})\nl.reverse()\nR = (l.pop(), l)",
    "l.sort(key=lambda v: (v % {k}, -v))\nR = (l, sorted({l}, key=lambda v: -v), min({l}, key=lambda v: v % 3), max({l}, key=abs))",
    "a[{slice}] = {k}\nm[{i}, {i}] = {f}\na += 1\nR = (a.sum(), m[0])",
    # comprehensions in one another
    "R = [[p {op} q for q in range(p % 3)] for p in {l} if p {cmp} {i}]",
    "R = {p: [q for q in {s} if q != ','] for p in {l}}",
    "R = [(p, q, e) for p in {l} for q, e in enumerate({s}) if p {op} q {cmp} {i}]",
    "R = [sum([p * q for q in {l}]) for p in {l}] + [len([e for e in {s}])]",
    "R = (sum([1 for p in {l} for q in {a} if p == q]), [x_ for x_ in (p {op} 1 for p in {l})], any(p {cmp} {i} for p in {l}), all(p > 0 for p in {a}))",
    "R = np.array([[p {op} q for q in range(3)] for p in {l}])",
    # star arguments, unpacking, tuples of unlike items
    "t_ = ({i}, {k})\nR = (total(*t_), total({i}, *t_), total(*{a}[:2]) if {b} else 0, scale(*t_), many({i}, *t_, q={s}))",
    "R = (many({i}), many({i}, {k}, {k}), many({i}, q={s}), many(q={s}, p={k}))",
    "p_, q_ = {i}, {s}\np_, e_ = e_, p_ = ({k}, {i})\nR = (p_, q_, e_)",
    "(p_, q_), *e_ = ({i}, {s}), {k}, {k}\nR = (p_, q_, e_)",
    "t_ = ({i}, {s}, {f}, {a})\no_ = 0.0\nfor v_ in literal_unroll(t_):\n    o_ += weight(v_)\nR = (o_, t_[-1][0], t_[1:3])",
    "o_ = ''\nfor v_ in literal_unroll(({i}, {f}, {b})):\n    o_ += f'{v_};'\nR = o_",
    "p_ = Pair({i}, {f})\nq_ = p_._replace(one={k})\nR = (p_, q_, p_._asdict if False else q_.one, p_ < q_, p_ == q_, sum((p_.one, q_.two)), [e for e in (p_.one, q_.one)])",
    "o_ = [Pair(q, {f}) for q in {l}]\nR = (o_[0].one + o_[-1].two, [p.one for p in o_ if p.two {cmp} {f}], max(o_))",
    # values that may be None
    "o_ = None\nif {b}:\n    o_ = {i}\nR = (o_ is None, 0 if o_ is None else o_ {op} {k}, maybe({i}), maybe({k}) is None)",
    "o_ = None if {b} else {s}\nR = (o_, o_ == {s}, o_ is not None and o_.upper() == 'ABC')",
    "o_ = maybe({i})\nif o_:\n    o_ += {k}\nR = o_",
    "o_ = None\nfor q_ in {l}:\n    if o_ is None or q_ {cmp} o_:\n        o_ = q_\nR = o_",
    # ufuncs, generalised ufuncs and stencils of one's own
    "R = (blend({a}, {k}), blend({m}, {f}), blend({i}, {k}), blend(m[0], {m}[:, :1]))",
    "R = (moving({a}, {k}), moving({m}, 2))",
    "R = (around({m}), around(m + {f}).sum(axis={axis}), beside({a}), beside({a}[::-1] * {k}))",
    # arrays of mixed types
    "R = ({a}.astype({dtype}) {op} {a}.astype({dtype}), {a}.astype({dtype}) {cmp} {a}.astype({dtype}), {a}.astype({dtype}).sum())",
    "o_ = np.abs({a}).astype({dtype})\no_[0] = {k}\no_ += o_.dtype.type(1)\nR = (o_, o_ // o_.dtype.type(3), o_ % o_.dtype.type(3), o_.max(), o_.astype({dtype}))",
    "o_ = np.zeros(4, {dtype})\no_[:] = {k}\no_[1:3] = {a}[:2]\nR = (o_, o_.astype({dtype}) {op} np.ones(4, {dtype}), o_.view(np.uint8).sum())",
    "R = ({a}.astype(np.uint8) << np.uint8(1), {a}.astype(np.uint32) >> np.uint32({k}), ~{a}.astype({dtype}).astype(np.int16), {a} & {k}, {a} | 1, -{a}.astype(np.int8))",
    "R = (np.arange({k}, dtype={dtype}), np.full({k}, {i} % 100, {dtype}), np.array({l}, {dtype}) * np.array(2, {dtype}), np.concatenate(({a}.astype({dtype}), {a}.astype({dtype}))))",
    # while loops and their variables
    "o_ = 0.0\ni_ = {i}\nwhile i_ < len(a):\n    o_ += a[i_] {op} {k}\n    i_ += {k}\nR = o_",
    "o_ = 0\ni_, j_ = 0, len(a) - 1\nwhile i_ < j_:\n    if a[i_] + a[j_] > {i}:\n        j_ -= 1\n    else:\n        i_ += 1\n    o_ += a[i_ - {k}]\nR = (o_, i_, j_)",
    "o_ = [{i}]\nwhile o_ and len(o_) < 9:\n    v_ = o_.pop()\n    if v_ > 0:\n        o_.append(v_ - {k})\n        o_.append(v_ // 2 - 1)\n    if {b} and v_ == 1:\n        break\nelse:\n    o_.append(77)\nR = o_",
    "o_ = {n_: n_ for n_ in {l}}\nwhile len(o_) > 1:\n    k_, v_ = o_.popitem()\n    if {b}:\n        continue\nR = o_",
    "if (w_ := {i}) > 1 and (v_ := w_ * 2) > 2:\n    o_ = v_ + w_\nelse:\n    o_ = w_\nR = (o_, w_)",
    # generators in one another
    "def up_(k):\n    for i_ in range(k):\n        yield i_\ndef twice_(k):\n    for v_ in up_(k):\n        yield v_ * 2\n        if v_ > {i}:\n            return\nR = [q for q in twice_({k})]",
    "def pairs_(v):\n    for i_ in range(len(v)):\n        for j_ in range(i_):\n            yield v[i_], v[j_ - {k}]\no_ = 0\nfor p_, q_ in pairs_({a}):\n    o_ += p_ {op} q_\nR = o_",
    "def fib_():\n    p_, q_ = 0, 1\n    while True:\n        yield p_\n        p_, q_ = q_, p_ + q_\no_ = [{i}]\nfor v_ in fib_():\n    if v_ > 50:\n        break\n    o_.append(v_)\nR = o_",
    # more of exceptions
    "o_ = [{i}]\nfor i_ in range(3):\n    try:\n        try:\n            if i_ == 1:\n                {raise}\n            o_.append(i_)\n        finally:\n            o_.append(-i_)\n            if {b}:\n                continue\n    except {error} as e_:\n        o_.append(40)\n    else:\n        o_.append(30)\nR = o_",
    "def deep_(k):\n    if k == 0:\n        {raise}\n        return 0\n    try:\n        return deep_(k - 1) + 1\n    except {error}:\n        if {b}:\n            raise\n        return -100\nR = deep_({k})",
    "o_ = 0\nfor q_ in {l}:\n    try:\n        o_ += 10 // (q_ - {k})\n    except ZeroDivisionError:\n        o_ += 1000\n    except {error}:\n        o_ += 1\nR = o_",
    # what is called
    "R = (scale({i}), scale({f}, by={k}), total({i}, {k}), total(), apply(scale, {k}), pick({k}))",
    "R = (literally({k}) * {i}, walk({k}), even({k}), helper({i}, {f}))",
    "p_ = Pair({i}, {f})\nR = (p_.one {op} p_.two, p_[0], p_ == Pair(1, 2.0))",
)

# What f is compiled with; the first line of a program says which.
OPTIONS = ("boundscheck=True", "boundscheck=True", "", "", "overflow_check=True")

PRELUDE = '''Pair = namedtuple("Pair", "one two")

@jitclass([("size", int64), ("name", unicode_type), ("items", ListType(int64)), ("other", ListType(int64))])
class Box:
    def __init__(self, size, name):
        self.size = size
        self.name = name
        self.items = List.empty_list(int64)
        self.other = self.items

    def grow(self, by):
        self.size += by
        for i in range(by):
            self.items.append(i * self.size)
        return self.size

    @property
    def double(self):
        return self.size * 2

    def __len__(self):
        return len(self.items)

    def __eq__(self, other):
        return self.size == other.size

    def __iadd__(self, by):
        self.size = self.size + by
        return self

    @staticmethod
    def make():
        return Box(7, "made")

def risky(box, k):
    try:
        box.grow(1)
        return box.items[k + 1]
    except IndexError:
        return -1

def scale(v, by=3):
    return v * by

def total(*numbers):
    o = 0
    for v in numbers:
        o += v
    return o

def apply(g, v):
    return g(v) + g(v, 1)

def pick(k):
    g = scale if k > 2 else helper
    return g(k, 2)

def walk(k):
    return 0 if k <= 0 else k + walk(k - 1)

def even(k):
    return True if k == 0 else odd(k - 1)

def odd(k):
    return False if k == 0 else even(k - 1)

def many(p, *rest, q="dd"):
    return (p, len(rest), q)

def weight(v):
    return len(str(v)) if isinstance(v, str) else 2.5

def maybe(k):
    if k > 1:
        return k
    return None

@vectorize
def blend(p, q):
    return p * 2 - q if p > q else q + 0.5

@guvectorize(["void(float64[:], int64, float64[:])", "void(int64[:], int64, float64[:])"], "(n),()->(n)")
def moving(v, width, o):
    s = 0.0
    for i in range(len(v)):
        s += v[i]
        if i >= width:
            s -= v[i - width]
        o[i] = s / width

@stencil
def around(v):
    return v[0, -1] + v[0, 1] * 2 - v[-1, 0]

@stencil
def beside(v):
    return v[-1] * 3 - v[1]

def helper(n, y):
    return n * 2 if n < 5 else n - int(y > 0)

'''


class Snippets:
    """Fills the holes of snippets, whose own names end in a number then."""

    def __init__(self, random):
        self.random = random

    def fill(self, text, serial):
        for word, choices in WORDS.items():
            while "{" + word + "}" in text:
                text = text.replace("{" + word + "}", self.random.choice(choices), 1)
        lines = text.replace("R = ", f"result{serial} = ").split("\n")
        names = {part for line in lines for part in _words(line) if len(part) > 1 and part.endswith("_")
                 and not part.startswith("_")}
        return "\n".join(_renamed(line, names, serial) for line in lines)

    def function(self):
        chosen = [self.random.choice(SNIPPETS) for _ in range(self.random.randint(1, 3))]
        parts = [self.fill(text, serial) for serial, text in enumerate(chosen)]
        if self.random.random() < 0.3:
            parts[0] = nested(parts[0], "for turn in range(2):")
        results = ", ".join(f"result{serial}" for serial in range(len(parts)))
        body = "\n".join(parts + [f"return ({results},)"])
        header = ", ".join(name for name, _ in ARGUMENTS)
        options = self.random.choice(OPTIONS)
        function = f"def f({header}):\n    " + body.replace("\n", "\n    ") + "\n"
        return f"# plain: {options}\n{prelude(function)}{function}"


def prelude(function):
    """The definitions of PRELUDE that the function needs; a helper always."""
    blocks = re.split(r"\n\n(?=\S)", PRELUDE.strip())
    names = [re.search(r"^(?:def |class |)(\w+)", block, re.MULTILINE).group(1) for block in blocks]
    needed, text = [], function + "helper"
    while True:
        more = [name for name in names if name not in needed and re.search(rf"\b{name}\b", text)]
        if not more:
            return "".join(block + "\n\n" for name, block in zip(names, blocks) if name in needed)
        needed += more
        text += "".join(block for name, block in zip(names, blocks) if name in more)


def nested(text, head):
    """The text in a loop that gives its result a first value."""
    return head + "\n    " + text.replace("\n", "\n    ")


def _words(line):
    word = ""
    for letter in line + " ":
        if letter.isidentifier() or (word and letter.isdigit()):
            word += letter
        elif word:
            yield word
            word = ""


def _renamed(line, names, serial):
    out, word = [], ""
    for letter in line + " ":
        if letter.isidentifier() or (word and letter.isdigit()):
            word += letter
            continue
        if word:
            out.append(f"{word}{serial}" if word in names else word)
            word = ""
        out.append(letter)
    return "".join(out)[:-1]


def program(random):
    """A (source, calls) as generate.program gives."""
    while True:
        source = Snippets(random).function()
        try:
            compile(source, "<generated>", "exec")
        except SyntaxError:
            continue
        calls = [f"({''.join(random.choice(choices) + ', ' for _, choices in ARGUMENTS)})" for _ in range(2)]
        return source, calls
