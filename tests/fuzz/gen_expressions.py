"""Random expressions. Every method returns text that is correct in type; unless the program takes risks, evaluating it
cannot fail either."""
import random
from collections import Counter

from gen_types import Name, Type

# Binding strength of an operator, as far as both dialects agree; 10 is an atom.
CONDITIONAL, IMPLIES, OR, AND, NOT, COMPARE, ADD, MULTIPLY, UNARY, ATOM = range(1, 11)
UNICODE = {"&": "∧", "|": "∨", "->": "→", "!": "¬", "!=": "≠", "<=": "≤", ">=": "≥", "forall": "∀", "exists": "∃"}


class Expressions:
    def __init__(self, seed, common):
        self.random = random.Random(seed)
        self.common = common      # only what Rumur accepts too
        self.used = Counter()     # construct -> occurrences
        self.scope = []           # Names, innermost last
        self.types = []           # declared scalar types, for quantifiers
        self.functions = []       # (name, parameter types, result type)
        self.constants = []       # (name, value)
        self.counter = 0
        self.nesting = 0          # of indices
        self.risk = 0.0

    # ---- choices ----
    def chance(self, probability):
        return self.random.random() < probability

    def risky(self):
        return self.chance(self.risk)

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def note(self, construct):
        self.used[construct] += 1

    def operator(self, sign):
        self.note(f"operator {sign}")
        if sign in UNICODE and self.chance(0.05):
            self.note("unicode operator")
            return UNICODE[sign]
        return sign

    def wrap(self, pair, at_least):
        text, strength = pair
        return f"({text})" if strength < at_least or self.chance(0.15) else text

    def binary(self, sign, left, right, strength):
        # Both operands bind tighter, because comparisons and `->` do not associate and the rest reads the same.
        text = f"{self.wrap(left, strength + 1)} {self.operator(sign)} {self.wrap(right, strength + 1)}"
        return text, strength

    # ---- places ----
    def place(self, wanted, writable=False, unsettled=False, among=None):
        """A random place whose type satisfies `wanted`: (text, type, settled), or None."""
        names = [name for name in (self.scope if among is None else among) if (name.writable or not writable) and (name.settled or unsettled)]
        for _ in range(12):
            if not names:
                return None
            name = self.random.choice(names)
            found = self.walk(name.text, name.type, wanted)
            if found:
                return (*found, name.settled)
        return None

    def walk(self, text, kind, wanted):
        """Goes down into records and arrays at random until the type fits."""
        for _ in range(6):
            if wanted(kind) and (kind.scalar or self.chance(0.7)):
                return text, kind
            if kind.kind == "record":
                name, kind = self.random.choice(kind.fields)
                text = f"{text}.{name}"
                self.note("field")
            elif kind.kind == "array":
                index = self.index(kind.index)
                if index is None:
                    return None
                text, kind = f"{text}[{index}]", kind.element
                self.note("element")
            else:
                return None
        return None

    def index(self, kind):
        if kind.kind == "range" and self.nesting == 0 and self.risky():
            self.note("unchecked index")
            return self.integer_atom()[0]
        # An index may hold an element that has an index itself; we stop there.
        self.nesting += 1
        pair = self.value(kind, 1) if self.nesting <= 2 else self.simple(kind)
        self.nesting -= 1
        return pair and pair[0]

    def simple(self, kind):
        """A quantified name or a constant."""
        names = [n.text for n in self.scope if n.type is kind and not n.writable]
        literal = self.literal(kind) if kind.kind != "scalarset" else None
        choices = [text for text in names + [literal] if text]
        return (self.random.choice(choices), ATOM) if choices else None

    # ---- values of a type ----
    def value(self, kind, depth):
        """(text, strength) of a defined value in the type, or None where there is none in scope (scalarsets)."""
        if kind.kind == "boolean":
            return self.boolean(depth)
        if kind.kind == "range":
            return self.in_range(kind, depth)
        if kind.kind == "enum":
            return self.of_enum(kind, depth)
        if kind.kind == "scalarset":
            return self.of_scalarset(kind)
        return self.of_union(kind, depth)

    def literal(self, kind):
        """A constant of a type, or None for a scalarset."""
        if kind.kind == "boolean":
            return self.random.choice(["true", "false"])
        if kind.kind == "range":
            return str(self.random.randint(kind.low, kind.high))
        if kind.kind == "enum":
            return self.random.choice(kind.values)
        enums = [member for member in kind.members if member.kind == "enum"]
        return self.literal(self.random.choice(enums)) if enums else None

    def read(self, wanted):
        place = self.place(wanted)
        return place and (place[0], ATOM)

    def in_range(self, kind, depth):
        roll = self.random.random()
        if roll < 0.35 or depth <= 0:
            return self.literal(kind), ATOM
        if roll < 0.6:
            found = self.read(lambda t: t.kind == "range" and t.low >= kind.low and t.high <= kind.high)
            if found:
                return found
        if self.risky():
            self.note("unchecked range")
            return self.integer(depth - 1)
        return self.clamped(kind, depth - 1)

    def clamped(self, kind, depth):
        """Any integer brought into a range."""
        inner = self.integer(depth)
        self.note("operator %")
        if self.chance(0.5):
            rest = f"({self.wrap(inner, UNARY)} % {kind.size} + {kind.size}) % {kind.size}"
            return (rest, MULTIPLY) if kind.low == 0 else (f"{kind.low} + {rest}", ADD)
        self.note("operator ?:")
        text = self.wrap(inner, ATOM)
        return f"({text} >= {kind.low} & {text} <= {kind.high}) ? {text} : {self.literal(kind)}", CONDITIONAL

    def of_enum(self, kind, depth):
        if depth > 0 and self.chance(0.4):
            found = self.read(lambda t: t is kind)
            if found:
                return found
        if depth > 0 and self.chance(0.15):
            return self.choice_of(kind, depth)
        return self.literal(kind), ATOM

    def of_scalarset(self, kind):
        names = [n.text for n in self.scope if n.type is kind and not n.writable]  # quantified: always defined
        if names:
            return self.random.choice(names), ATOM
        if self.risky():
            self.note("unchecked undefined")
            return self.read(lambda t: t is kind)
        return None

    def of_union(self, kind, depth):
        options = [pair for pair in (self.value(member, depth - 1) if member.kind == "scalarset" else
                                     (self.literal(member), ATOM) for member in kind.members) if pair]
        names = [(n.text, ATOM) for n in self.scope if n.type is kind and not n.writable]
        return self.random.choice(options + names) if options + names else None

    def choice_of(self, kind, depth):
        self.note("operator ?:")
        then, other = self.value(kind, depth - 1), self.value(kind, depth - 1)
        return (f"{self.wrap(self.boolean(depth - 1), NOT)} ? {self.wrap(then, OR)} : {self.wrap(other, OR)}",
                CONDITIONAL)

    # ---- integers ----
    def integer(self, depth):
        if depth <= 0 or self.chance(0.2):
            return self.integer_atom()
        make = self.random.choice([self.arithmetic, self.arithmetic, self.division, self.negation, self.bitwise,
                                   self.integer_choice, self.integer_call, self.multiset_size])
        return make(depth) or self.integer_atom()

    def integer_atom(self):
        roll = self.random.random()
        if roll < 0.2 and self.constants:
            self.note("constant")
            return self.random.choice(self.constants)[0], ATOM
        if roll < 0.7:
            found = self.read(lambda t: t.kind == "range")
            if found:
                return found
        if roll > 0.97:
            self.note("hexadecimal literal")
            return f"0x{self.random.randint(0, 12):x}", ATOM
        return str(self.random.randint(0, 4)), ATOM

    def arithmetic(self, depth):
        sign, strength = self.random.choice([("+", ADD), ("-", ADD), ("*", MULTIPLY)])
        return self.binary(sign, self.integer(depth - 1), self.integer(depth - 1), strength)

    def division(self, depth):
        divisor = (str(self.random.randint(1, 4)), ATOM)
        if self.risky():
            self.note("unchecked division")
            divisor = self.integer(depth - 1)
        return self.binary(self.random.choice(["/", "%"]), self.integer(depth - 1), divisor, MULTIPLY)

    def negation(self, depth):
        sign = self.random.choice(["-", "~"])
        return f"{self.operator(sign)}{self.wrap(self.integer(depth - 1), ATOM)}", UNARY

    def bitwise(self, depth):
        # The packaged Rumur takes most uses of `&` and `|` for logical ones.
        sign = self.random.choice(["^", "<<", ">>"] if self.common else ["&", "|", "^", "<<", ">>"])
        right = (str(self.random.randint(0, 2)), ATOM) if sign in ("<<", ">>") else self.integer(depth - 1)
        self.note(f"bitwise {sign}")
        return f"({self.wrap(self.integer(depth - 1), ATOM)} {sign} {self.wrap(right, ATOM)})", ATOM

    def integer_choice(self, depth):
        self.note("operator ?:")
        return (f"({self.wrap(self.boolean(depth - 1), NOT)} ? {self.wrap(self.integer(depth - 1), ADD)} : "
                f"{self.wrap(self.integer(depth - 1), ADD)})", ATOM)

    def integer_call(self, depth):
        return self.call(lambda t: t.kind == "range", depth)

    def multiset_size(self, depth):
        sets = [n for n in self.scope if n.type.kind == "multiset"]
        if not sets:
            return None
        chosen, slot = self.random.choice(sets), self.fresh("m")
        self.note("MultiSetCount")
        return f"MultiSetCount({slot}: {chosen.text}, {self.element_test(chosen, slot, depth)})", ATOM

    def element_test(self, chosen, slot, depth):
        """A condition on the element in a slot of a multiset."""
        self.scope.append(Name(f"{chosen.text}[{slot}]", chosen.type.element, writable=False))
        text = "true" if self.chance(0.3) else self.boolean(depth - 1)[0]
        self.scope.pop()
        return text

    # ---- calls ----
    def call(self, wanted, depth):
        options = [f for f in self.functions if wanted(f[2])]
        if not options:
            return None
        name, parameters, _ = self.random.choice(options)
        arguments = []
        for kind in parameters:
            found = self.value(kind, depth - 1) if kind.scalar else self.place(lambda t, k=kind: t is k)
            if found is None:
                return None
            arguments.append(found[0])
        self.note("function call")
        return f"{name}({', '.join(arguments)})", ATOM

    # ---- conditions ----
    def boolean(self, depth):
        if depth <= 0 or self.chance(0.1):
            found = self.read(lambda t: t.kind == "boolean") if self.chance(0.6) else None
            return found or (self.comparison(0) if self.chance(0.7) else (self.random.choice(["true", "false"]), ATOM))
        make = self.random.choice([self.comparison, self.comparison, self.enum_comparison, self.logical, self.logical,
                                   self.logical_not, self.quantified, self.undefined_test, self.guarded_comparison,
                                   self.membership, self.aggregate_comparison, self.boolean_choice,
                                   self.boolean_call])
        return make(depth) or self.comparison(depth)

    def comparison(self, depth):
        sign = self.random.choice(["=", "!=", "<", "<=", ">", ">="])
        if sign == "=" and self.chance(0.1):
            self.note("operator ==")
            sign = "=="
        return self.binary(sign, self.integer(depth - 1), self.integer(depth - 1), COMPARE)

    def enum_comparison(self, depth):
        found = self.place(lambda t: t.kind == "enum")
        if not found:
            return None
        return self.binary(self.random.choice(["=", "!="]), (found[0], ATOM), self.of_enum(found[1], depth - 1), COMPARE)

    def may_be_undefined(self, wanted):
        """A place that isundefined() can be asked about: not a quantified name, which always has a value."""
        return self.place(wanted, unsettled=True, among=[n for n in self.scope if n.writable or not n.type.scalar])

    def guarded_comparison(self, depth):
        """A read of something that may be undefined, behind the test that short-circuit evaluation relies on."""
        found = self.may_be_undefined(lambda t: t.scalar and t.kind != "boolean")
        other = found and self.value(found[1], 0)
        if not other:
            return None
        self.note("isundefined")
        return f"(!isundefined({found[0]}) & {found[0]} = {self.wrap(other, ADD)})", ATOM

    def logical(self, depth):
        sign, strength = self.random.choice([("&", AND), ("|", OR), ("->", IMPLIES), ("&&", 0), ("||", 0)])
        left, right = self.boolean(depth - 1), self.boolean(depth - 1)
        if strength:
            return self.binary(sign, left, right, strength)
        self.note(f"operator {sign}")
        return f"({self.wrap(left, ATOM)} {sign} {self.wrap(right, ATOM)})", ATOM

    def logical_not(self, depth):
        return f"{self.operator('!')}{self.wrap(self.boolean(depth - 1), COMPARE)}", NOT

    def quantified(self, depth):
        word = self.random.choice(["forall", "exists"])
        self.note(word)
        several = not self.common and self.chance(0.25)
        mark = len(self.scope)
        parts = [self.quantifier() for _ in range(2 if several else 1)]
        if several:
            self.note("several quantifiers")
        body = self.boolean(depth - 1)[0]
        del self.scope[mark:]
        if self.chance(0.05):
            self.note("unicode operator")
            word = UNICODE[word]
        return f"{word} {'; '.join(parts)} do {body} {self.ending(word)}", ATOM

    def quantifier(self, ranges=True):
        """`i: T` or `i := a to b [by c]`; the name is in scope afterwards."""
        name = self.fresh("q")
        if ranges and self.chance(0.3):
            low, high, step = self.random.choice([(0, 1, 1), (1, 2, 1), (0, 2, 2), (2, 1, -1), (3, 0, -2)])
            self.note("quantifier over a range")
            self.scope.append(Name(name, Type("range", low=min(low, high), high=max(low, high)), writable=False))
            by = f" by {step}" if step != 1 or self.chance(0.3) else ""
            return f"{name} := {low} to {high}{by}"
        kind = self.random.choice([t for t in self.types if t.size <= (5 if t.kind == "union" else 3)])
        self.note(f"quantifier over {kind.kind}")
        self.scope.append(Name(name, kind, writable=False))
        return f"{name}: {kind.text}"

    def ending(self, word):
        return self.random.choice(["end", "end", f"end{word}" if word.isascii() else "end"])

    def undefined_test(self, _):
        found = self.may_be_undefined(lambda t: t.scalar)
        if not found:
            return None
        self.note("isundefined")
        return f"isundefined({found[0]})", ATOM

    def membership(self, _):
        found = self.may_be_undefined(lambda t: t.kind == "union")
        if not found:
            return None
        self.note("ismember")
        member = self.random.choice(found[1].members)
        return f"(!isundefined({found[0]}) & ismember({found[0]}, {member.text}))", ATOM

    def aggregate_comparison(self, _):
        left = self.place(lambda t: t.kind in ("record", "array") and not t.has_multiset, unsettled=True)
        right = left and self.place(lambda t: t is left[1], unsettled=True)
        if not right:
            return None
        self.note("comparison of aggregates")
        return self.binary(self.random.choice(["=", "!="]), (left[0], ATOM), (right[0], ATOM), COMPARE)

    def boolean_choice(self, depth):
        return self.choice_of(Type("boolean"), depth)

    def boolean_call(self, depth):
        return self.call(lambda t: t.kind == "boolean", depth)
