"""Random statements. Bodies are lists of lines without indentation of their own."""
from gen_expressions import Expressions
from gen_types import Name


def indent(lines):
    return ["  " + line for line in lines]


class Statements(Expressions):
    def __init__(self, seed, common):
        super().__init__(seed, common)
        self.procedures = []  # (name, [(type, by reference)])
        self.globals = []     # Names of the state variables

    def block(self, count, depth):
        lines = []
        for _ in range(count):
            lines += self.statement(depth)
        return lines

    def body(self, depth):
        return indent(self.block(self.random.randint(1, 2), depth - 1))

    def statement(self, depth):
        simple = [self.assign] * 4 + [self.advance] * 4 + [self.copy, self.undefine, self.clear, self.put, self.check, self.assume, self.cover,
                                      self.call_procedure, self.add_to_multiset, self.remove_from_multiset,
                                      self.leave, self.fail, self.assign_undefined]
        nested = [self.branch] * 3 + [self.switch, self.loop_for, self.loop_symmetric, self.loop_while, self.alias]
        make = self.random.choice(simple + nested if depth > 0 else simple)
        return make(depth) or self.assign(depth) or ['put "nothing to do";']

    # ---- simple statements ----
    def assign(self, depth):
        found = self.place(lambda t: t.scalar, writable=True, unsettled=True)
        value = found and self.value(found[1], min(depth + 1, 2))
        if not value:
            return None
        self.note("assignment")
        sign = ":="
        if self.chance(0.03):
            self.note("unicode operator")
            sign = "≔"
        return [f"{found[0]} {sign} {value[0]};"]

    def advance(self, _):
        """Another value for a variable than the one it has: this is what makes state spaces grow."""
        found = self.place(lambda t: t.kind in ("range", "boolean", "enum"), writable=True, among=self.globals)
        if not found or self.returning:
            return None
        self.note("assignment")
        text, kind, _ = found
        if kind.kind == "enum":
            return [f"{text} := {text} = {kind.values[0]} ? {self.literal(kind)} : {kind.values[0]};"]
        if kind.kind == "boolean":
            return [f"{text} := !{text};"]
        step = self.random.randint(1, kind.size - 1) if kind.size > 1 else 0
        if kind.low == 0:
            return [f"{text} := ({text} + {step}) % {kind.size};"]
        return [f"{text} := {text} = {kind.high} ? {kind.low} : {text} + 1;"]

    def copy(self, _):
        """A whole record or array; what is settled is only ever copied from what is settled."""
        target = self.place(lambda t: t.kind in ("record", "array") and not t.has_multiset, writable=True, unsettled=True)
        source = target and self.place(lambda t: t is target[1], unsettled=not target[2])
        if not source:
            return None
        self.note("assignment of aggregates")
        return [f"{target[0]} := {source[0]};"]

    def unsettled(self, wanted):
        """A place that may become undefined: one that nobody reads without asking, unless risks are taken."""
        names = [n for n in self.scope if n.writable and (not n.settled or self.risky())]
        for _ in range(4 if names else 0):
            name = self.random.choice(names)
            found = self.walk(name.text, name.type, wanted)
            if found:
                return found
        return None

    def undefine(self, _):
        found = self.unsettled(lambda t: not t.has_multiset)
        if not found:
            return None
        self.note("undefine")
        return [f"undefine {found[0]};"]

    def assign_undefined(self, _):
        found = None if self.common else self.unsettled(lambda t: t.scalar)
        if not found:
            return None
        self.note("undefined")
        return [f"{found[0]} := undefined;"]

    def clear(self, _):
        found = self.place(lambda t: not t.symmetric, writable=True, unsettled=True)
        if not found:
            return None
        self.note("clear")
        return [f"clear {found[0]};"]

    def put(self, depth):
        self.note("put")
        if self.chance(0.4):
            return [f'put "{self.random.choice(["a", "b c", "x = 1"])}";']
        return [f"put {self.integer(min(depth, 1))[0]};"]

    def check(self, depth):
        self.note("assert")
        condition = self.boolean(1)[0] if self.risky() else "true" if depth == 0 else f"({self.boolean(1)[0]}) | true"
        if self.common and self.chance(0.5):
            return [f'assert "checked" {condition};']
        return [f'assert {condition} "checked";'] if self.chance(0.6) else [f"assert {condition};"]

    def assume(self, _):
        if not self.chance(0.3):
            return None
        self.note("assume statement")
        return [f"assume {self.boolean(1)[0]};"]

    def cover(self, _):
        if not self.chance(0.3):
            return None
        self.note("cover statement")
        if self.common or self.chance(0.7):  # the packaged Rumur generates C that does not compile without a message
            return [f'cover {self.boolean(1)[0]} "{self.fresh("reached ")}";']
        return [f"cover {self.boolean(1)[0]};"]

    def fail(self, _):
        if not self.risky():
            return None
        self.note("error")
        return [f"if {self.boolean(1)[0]} then error \"{self.fresh('error ')}\"; endif;"]

    def leave(self, _):
        if self.returning or not self.chance(0.3):
            return None
        self.note("return from a rule")
        return [f"if {self.boolean(1)[0]} then return; end;"]

    returning = False  # inside a function, where `return` needs a value

    def call_procedure(self, depth):
        if not self.procedures:
            return None
        name, parameters = self.random.choice(self.procedures)
        arguments, taken = [], set()
        for kind, by_reference in parameters:
            if by_reference:
                found = self.place(lambda t, k=kind: t is k, writable=True)
                if not found or found[0].split("[")[0].split(".")[0] in taken:
                    return None  # two references to one variable are not generated
                taken.add(found[0].split("[")[0].split(".")[0])
            else:
                found = self.value(kind, min(depth, 1)) if kind.scalar else self.place(lambda t, k=kind: t is k)
            if not found:
                return None
            arguments.append(found[0])
        self.note("procedure call")
        return [f"{name}({', '.join(arguments)});"]

    # ---- multisets ----
    def add_to_multiset(self, depth):
        sets = [n for n in self.scope if n.type.kind == "multiset" and n.writable]
        if not sets:
            return None
        chosen = self.random.choice(sets)
        kind = chosen.type.element
        element = self.value(kind, 1) if kind.scalar else self.place(lambda t: t is kind)
        if not element:
            return None
        self.note("MultiSetAdd")
        add = f"MultiSetAdd({element[0]}, {chosen.text});"
        if self.risky():
            return [add]
        slot = self.fresh("m")
        return [f"if MultiSetCount({slot}: {chosen.text}, true) < {chosen.type.capacity} then", "  " + add, "endif;"]

    def remove_from_multiset(self, depth):
        sets = [n for n in self.scope if n.type.kind == "multiset" and n.writable]
        if not sets:
            return None
        chosen, slot = self.random.choice(sets), self.fresh("m")
        self.note("MultiSetRemovePred")
        return [f"MultiSetRemovePred({slot}: {chosen.text}, {self.element_test(chosen, slot, min(depth, 1))});"]

    # ---- nested statements ----
    def branch(self, depth):
        self.note("if")
        lines = [f"if {self.boolean(2)[0]} then", *self.body(depth)]
        for _ in range(self.random.choice([0, 0, 1])):
            self.note("elsif")
            lines += [f"elsif {self.boolean(1)[0]} then", *self.body(depth)]
        if self.chance(0.5):
            self.note("else")
            lines += ["else", *self.body(depth)]
        return lines + [self.ending("if") + ";"]

    def switch(self, depth):
        found = self.place(lambda t: t.kind in ("enum", "range", "boolean"))
        if not found:
            return None
        self.note("switch")
        kind = found[1]
        values = (kind.values or (["true", "false"] if kind.kind == "boolean" else
                                  [str(v) for v in range(kind.low, kind.high + 1)]))[:4]
        self.random.shuffle(values := list(values))
        lines, split = [f"switch {found[0]}"], self.random.randint(1, len(values))
        lines += [f"case {', '.join(values[:split])}:", *self.body(depth)]
        if values[split:] and self.chance(0.6):
            lines += [f"case {values[split]}:", *self.body(depth)]
        if self.chance(0.6):
            lines += ["else", *self.body(depth)]
        return lines + [self.ending("switch") + ";"]

    def loop_for(self, depth):
        """Over ranges and ordered types only: the order of a scalarset's values must not matter."""
        mark = len(self.scope)
        head = self.quantifier()
        symmetric = self.scope[-1].type.symmetric
        lines = None if symmetric else [f"for {head} do", *self.body(depth), self.ending("for") + ";"]
        del self.scope[mark:]
        if lines:
            self.note("for")
        return lines

    def loop_symmetric(self, _):
        """`for` over a scalarset: each round writes its own element and reads nothing that another round writes."""
        arrays = [n for n in self.scope if n.writable and n.type.kind == "array" and n.type.index.kind == "scalarset"]
        if not arrays:
            return None
        chosen, name = self.random.choice(arrays), self.fresh("q")
        found = self.walk(f"{chosen.text}[{name}]", chosen.type.element, lambda t: t.scalar and not t.symmetric)
        value = found and self.literal(found[1])
        if not value or "[" in found[0].replace(f"[{name}]", "", 1):
            return None
        self.note("for over a scalarset")
        return [f"for {name}: {chosen.type.index.text} do", f"  {found[0]} := {value};", "endfor;"]

    def loop_while(self, depth):
        counters = [n for n in self.scope if n.text.startswith("local_counter")]
        if not counters:
            return None
        self.note("while")
        counter, whole = counters[-1].text, self.scope
        self.scope = [n for n in whole if n is not counters[-1]]  # an inner loop must not count with it
        lines = [f"{counter} := 0;", f"while {counter} < {self.random.randint(1, 3)} & !({self.boolean(0)[0]}) do",
                 *self.body(depth), f"  {counter} := {counter} + 1;", self.ending("while") + ";"]
        self.scope = whole
        return lines

    def alias(self, depth):
        found = self.place(lambda t: True, writable=True, unsettled=True)
        if not found:
            return None
        self.note("alias statement")
        name, mark = self.fresh("a"), len(self.scope)
        self.scope.append(Name(name, found[1], settled=found[2]))
        lines = [f"alias {name}: {found[0]} do", *self.body(depth), self.ending("alias") + ";"]
        del self.scope[mark:]
        return lines
