"""\\alpha and its like: completion of a symbol's LaTeX or Unicode name to the symbol, and back."""
import functools
import unicodedata

GREEK = ("alpha beta gamma delta zeta eta theta iota kappa nu xi omicron pi rho sigma tau upsilon chi psi omega "
         "lamda mu").split()
# where LaTeX and Unicode call a letter differently
LETTERS = """
epsilon ϵ varepsilon ε phi ϕ varphi φ vartheta ϑ varrho ϱ varsigma ς varkappa ϰ varpi ϖ digamma ϝ Phi Φ Epsilon Ε
ell ℓ hbar ħ hslash ℏ imath ı jmath ȷ wp ℘ Re ℜ Im ℑ aleph ℵ beth ℶ gimel ℷ daleth ℸ eth ð dh ð DH Ð th þ TH Þ o ø O Ø
l ł L Ł oe œ OE Œ ae æ AE Æ aa å AA Å ss ß ng ŋ NG Ŋ Planckconst ℎ mho ℧ Angstrom Å
"""
OPERATORS = """
pm ± mp ∓ times × div ÷ cdot ⋅ cdotp · ast ∗ star ⋆ circ ∘ bullet • oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙
dagger † ddagger ‡ amalg ⨿ cup ∪ cap ∩ uplus ⊎ sqcap ⊓ sqcup ⊔ vee ∨ wedge ∧ setminus ∖ wr ≀ diamond ⋄ bigtriangleup △
bigtriangledown ▽ triangleleft ◁ triangleright ▷ bigcirc ○ sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮
bigcap ⋂ bigcup ⋃ bigvee ⋁ bigwedge ⋀ bigodot ⨀ bigotimes ⨂ bigoplus ⨁ biguplus ⨄ sqrt √ cbrt ∛ fourthroot ∜
partial ∂ nabla ∇ infty ∞ propto ∝ angle ∠ measuredangle ∡ sphericalangle ∢ prime ′ backprime ‵ emptyset ∅ varnothing ∅
forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ top ⊤ bot ⊥ therefore ∴ because ∵ complement ∁ degree ° checkmark ✓
ldots … cdots ⋯ vdots ⋮ ddots ⋱ square □ blacksquare ■ triangle △ blacktriangle ▴ lozenge ◊ bigstar ★ clubsuit ♣
diamondsuit ♢ heartsuit ♡ spadesuit ♠ flat ♭ natural ♮ sharp ♯ pounds £ yen ¥ euro € cent ¢ copyright © registered ®
S § P ¶ exclamdown ¡ questiondown ¿ quad \u2003 lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ langle ⟨ rangle ⟩
"""
RELATIONS = """
leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ ll ≪ gg ≫ lll ⋘ ggg ⋙ equiv ≡ sim ∼ simeq ≃ approx ≈ approxeq ≊ cong ≅ ncong ≇ nsim ≁
asymp ≍ doteq ≐ leqq ≦ geqq ≧ lesssim ≲ gtrsim ≳ lessgtr ≶ gtrless ≷ nless ≮ ngtr ≯ nleq ≰ ngeq ≱ prec ≺ succ ≻
preceq ⪯ succeq ⪰ in ∈ notin ∉ ni ∋ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ nsubseteq ⊈ nsupseteq ⊉ subsetneq ⊊
supsetneq ⊋ sqsubset ⊏ sqsupset ⊐ sqsubseteq ⊑ sqsupseteq ⊒ mid ∣ nmid ∤ parallel ∥ nparallel ∦ perp ⟂ vdash ⊢ dashv ⊣
models ⊧ vDash ⊨ Vdash ⊩ bowtie ⋈ smile ⌣ frown ⌢
leftarrow ← gets ← rightarrow → to → uparrow ↑ downarrow ↓ leftrightarrow ↔ updownarrow ↕ nwarrow ↖ nearrow ↗ searrow ↘
swarrow ↙ Leftarrow ⇐ Rightarrow ⇒ Uparrow ⇑ Downarrow ⇓ Leftrightarrow ⇔ Updownarrow ⇕ mapsto ↦ longmapsto ⟼
longleftarrow ⟵ longrightarrow ⟶ longleftrightarrow ⟷ Longleftarrow ⟸ Longrightarrow ⟹ Longleftrightarrow ⟺ iff ⟺
implies ⟹ hookleftarrow ↩ hookrightarrow ↪ leftharpoonup ↼ leftharpoondown ↽ rightharpoonup ⇀ rightharpoondown ⇁
rightleftharpoons ⇌ leadsto ↝ curvearrowleft ↶ curvearrowright ↷ circlearrowleft ↺ circlearrowright ↻
"""
ACCENTS = {"hat": 0x302, "bar": 0x304, "overbar": 0x305, "dot": 0x307, "ddot": 0x308, "dddot": 0x20DB, "tilde": 0x303,
           "vec": 0x20D7, "acute": 0x301, "grave": 0x300, "check": 0x30C, "breve": 0x306, "ocirc": 0x30A,
           "underbar": 0x331, "underline": 0x332, "not": 0x338}
ALPHABETS = {"bf": "BOLD ", "it": "ITALIC ", "bi": "BOLD ITALIC ", "scr": "SCRIPT ", "bfscr": "BOLD SCRIPT ",
             "frak": "FRAKTUR ", "bffrak": "BOLD FRAKTUR ", "bb": "DOUBLE-STRUCK ", "sans": "SANS-SERIF ",
             "bfsans": "SANS-SERIF BOLD ", "isans": "SANS-SERIF ITALIC ", "tt": "MONOSPACE "}


def _raised():
    """\\^2, \\_i: what Unicode has of raised and lowered letters."""
    for code in [*range(0xAA, 0xBB), *range(0x2B0, 0x2E5), *range(0x1D2C, 0x1D6B), *range(0x2070, 0x209D), 0x2C7C]:
        kind, _, letter = unicodedata.decomposition(chr(code)).partition(" ")
        sign = {"<super>": "^", "<sub>": "_"}.get(kind)
        if sign and " " not in letter:
            letter = chr(int(letter, 16))
            yield sign + {"\u2212": "-"}.get(letter, letter), chr(code)


def _alphabets():
    for prefix, style in ALPHABETS.items():
        for code in [*range(65, 91), *range(97, 123), *range(48, 58)]:
            letter = unicodedata.name(chr(code)).removeprefix("LATIN ").replace("CAPITAL LETTER", "CAPITAL") \
                .replace("SMALL LETTER", "SMALL")
            # a few were in Unicode before the others, under shorter names
            for name in (f"MATHEMATICAL {style}{letter}", style.replace("FRAKTUR", "BLACK-LETTER") + letter):
                try:
                    yield prefix + chr(code), unicodedata.lookup(name)
                    break
                except KeyError:
                    continue


@functools.lru_cache(maxsize=1)
def table():
    """{"\\\\alpha": "α", ...}: those of an installed IPython, too."""
    found = {}
    for name in GREEK:
        latex = name.replace("lamda", "lambda")
        found[latex] = unicodedata.lookup(f"GREEK SMALL LETTER {name}")
        found[latex.capitalize()] = unicodedata.lookup(f"GREEK CAPITAL LETTER {name}")
    found.update(_alphabets())
    found.update(_raised())
    for words in (LETTERS, OPERATORS, RELATIONS):
        words = words.replace("\u2003", "EM").split()
        found.update(zip(words[::2], words[1::2]))
    found["quad"] = "\u2003"
    found.update((name, chr(code)) for name, code in ACCENTS.items())
    found = {"\\" + name: symbol for name, symbol in found.items()}
    try:
        from IPython.core.latex_symbols import latex_symbols
    except ImportError:
        return found
    return {**found, **latex_symbols}


@functools.lru_cache(maxsize=1)
def _unicode_names():
    names = (unicodedata.name(chr(code), "") for code in range(32, 0x1FBFF))
    return [name for name in names if name]


def _of_unicode_name(name):
    """A symbol by its whole name, or the names that begin so."""
    try:
        return [unicodedata.lookup(name)]
    except KeyError:
        pass
    if len(name) < 3 or name != name.upper():
        return []
    return sorted("\\" + each for each in _unicode_names() if each.startswith(name))[:200]


def _names_of(symbol):
    """The names of a symbol that stands behind a backslash."""
    found = [name for name, value in table().items() if value == symbol]
    name = unicodedata.name(symbol, "")
    return found or (["\\" + name] if name else [])


def matches(typed, is_text):
    """What may stand for the text from a backslash on; in a string only what a whole name stands for, as a backslash
    has its own meaning there."""
    symbols = table()
    if typed in symbols:
        return [symbols[typed]]
    if is_text or len(typed) < 2:
        return []
    if len(typed) == 2 and ord(typed[1]) > 127:
        return _names_of(typed[1])
    return sorted(name for name in symbols if name.startswith(typed)) or _of_unicode_name(typed[1:])
