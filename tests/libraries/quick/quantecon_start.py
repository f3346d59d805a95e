"""quantecon: a Markov chain, discrete dynamic programming, a game, and optimisers"""
import numpy as np
import quantecon as qe

chain = qe.MarkovChain([[0.9, 0.1], [0.4, 0.6]])
print("chain", chain.simulate(1000, init=0, random_state=1).sum(), *chain.stationary_distributions[0])
print("tauchen", qe.markov.tauchen(7, 0.9, 0.1).P.trace())
R, Q = np.array([[5.0, 10.0], [-1.0, -np.inf]]), np.array([[[0.5, 0.5], [0, 1]], [[0, 1], [0.5, 0.5]]])
result = qe.markov.DiscreteDP(R, Q, 0.95).solve()
print("dp", *result.v, *result.sigma)
game = qe.game_theory.NormalFormGame([[3, 3], [3, 2]])
print("lemke", *np.concatenate(qe.game_theory.lemke_howson(game)))
print("gini", qe.gini_coefficient(np.arange(1.0, 100)), *qe.lorenz_curve(np.arange(1.0, 5))[1])
