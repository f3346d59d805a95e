"""quimb: states, Hamiltonians, entanglement and evolution of a chain of eight spins"""
import numpy as np
import quimb as qu

h = qu.ham_heis(8)
state = qu.rand_ket(2 ** 8, seed=3)


def show(name, *values):
    print(name, *("%.8f" % np.real(value) for value in values))


show("energies", *np.sort(qu.eigvalsh(h.toarray() if hasattr(h, "toarray") else h))[:4])
show("expected", qu.expec(h, state))
rho = qu.ptr(state, [2] * 8, [0, 1, 2])
show("entropy", qu.entropy(rho), qu.trace(rho @ rho))
show("fidelity", qu.fidelity(qu.rand_rho(4, seed=1), qu.rand_rho(4, seed=2)))
show("negativity", qu.negativity(qu.rand_rho(4, seed=5), (2, 2)), qu.concurrence(qu.rand_rho(4, seed=5)))
evolved = qu.Evolution(state, h)
evolved.update_to(1.5)
show("evolved", qu.expec(h, evolved.pt), qu.expec(state, evolved.pt))
show("product", (qu.kron(qu.pauli("x"), qu.pauli("z"), qu.rand_matrix(3, seed=2))).sum())
show("dot", qu.dot(qu.rand_matrix(6, seed=1), qu.rand_matrix(6, seed=2)).sum())
