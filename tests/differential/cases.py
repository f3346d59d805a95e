"""One case: a program or a kernel by its number, or by its list of choices; made, run both ways, judged."""
import functions
import judge
import kernels
from choices import Choices
from program import Program

GENERATORS = {"program": functions.generate, "kernel": kernels.generate}


class Case:
    def __init__(self, kind, seed=None, replayed=None):
        self.kind = kind
        self.choices = Choices(seed, replayed)
        self.program = GENERATORS[kind](Program(self.choices))
        self.code, self.ref = judge.sources(self.program)

    def difference(self):
        """(class, text) of how the two runs differ, or None."""
        expected = judge.run(self.ref, REFERENCE, "reference")
        try:
            got = judge.run(self.code, COMPILED, "program")
        except Exception as error:  # while its decorators ran: then nobody called main
            got = [(("raised", type(error).__name__, str(error)), expected[0][1])]
        return judge.difference(expected, got)


REFERENCE = judge.reference_names()
COMPILED = {}  # filled by prepare(), for the generator itself needs no compiler


def prepare():
    COMPILED.update(judge.compiled_names())
