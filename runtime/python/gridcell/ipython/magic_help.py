"""What `%name?` shows of a built-in magic."""
import _gridcell_kernel as kernel


def text_of(name):
    """The whole text about a magic; None where there is no such magic."""
    return kernel.magic_summary(name)
