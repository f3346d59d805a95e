"""Formulas as pictures, drawn by Matplotlib."""
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)
# what each backend takes: LaTeX has no short forms
_COLOURS = {"matplotlib": r"#(?:[0-9a-fA-F]{3}){1,2}", "dvipng": r"#[0-9a-fA-F]{6}"}


def latex_to_png(s, encode=False, backend=None, wrap=False, color="Black", scale=1.0):
    """A formula as PNG; None when Matplotlib is missing or cannot draw it. `wrap` puts $ around it."""
    import io
    import re
    if color.startswith("#") and not re.fullmatch(_COLOURS.get(backend, _COLOURS["matplotlib"]), color):
        raise ValueError(f"Invalid color specification {color}.")
    try:
        from matplotlib import mathtext, rc_context
        from matplotlib.font_manager import FontProperties
    except ImportError:
        return None
    formula = f"${s}$" if wrap else s.replace("\\displaystyle ", "").replace("$$", "$")
    file = io.BytesIO()
    try:
        with rc_context({"savefig.transparent": True}):
            mathtext.math_to_image(formula, file, prop=FontProperties(size=12), dpi=120 * scale, format="png",
                                   color=color.lower())
    except Exception:
        return None
    data = file.getvalue()
    if encode:
        import binascii
        return binascii.b2a_base64(data)
    return data


def latex_to_html(s, alt="image"):
    """A formula as an HTML picture."""
    data = latex_to_png(s, encode=True)
    return f'<img src="data:image/png;base64,{data.decode("ascii").strip()}" alt={alt}>' if data else None
