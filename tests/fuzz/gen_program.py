"""Random Murphi programs: declarations, routines, start states, rules and properties."""
from gen_statements import Statements, indent
from gen_types import Name, Type

# Upper bound for the product of all variables' sizes.
STATE_BUDGET = 60000


class Program(Statements):
    def generate(self):
        self.risk = 0.12 if self.chance(0.3) else 0.0
        lines = self.constants_section() + self.types_section() + self.variables_section()
        for _ in range(self.random.randint(0, 2)):
            lines += self.function()
        for _ in range(self.random.randint(0, 2)):
            lines += self.procedure()
        lines += self.start_states()
        for _ in range(self.random.randint(3, 7)):
            lines += self.rules()
        if self.chance(0.85):
            lines += [f'rule "tick" true ==> begin clock := (clock + 1) % {self.period}; end;']
        lines += self.properties()
        return "\n".join(lines) + "\n"

    # ---- declarations ----
    def constants_section(self):
        lines = ["const"]
        for _ in range(self.random.randint(1, 3)):
            name, value = self.fresh("N"), self.random.randint(1, 3)
            text = str(value)
            if self.constants and self.chance(0.4):
                other, base = self.random.choice(self.constants)
                if base + 1 <= 4:
                    text, value = f"{other} + 1", base + 1
            self.constants.append((name, value))
            self.note("const")
            lines.append(f"  {name}: {text};")
        return lines

    def declare(self, lines, kind, text):
        """Gives a type a name and keeps it for later declarations."""
        kind.text = self.fresh("T")
        lines.append(f"  {kind.text}: {text};")
        self.note(f"type {kind.kind}")
        return kind

    def types_section(self):
        lines = ["type"]
        name, bound = self.random.choice(self.constants)
        ranges = [self.declare(lines, Type("range", low=0, high=bound), f"0..{name}"),
                  self.declare(lines, Type("range", low=1, high=2), "1..2")]
        if self.chance(0.2):
            ranges.append(self.declare(lines, Type("range", low=-1, high=1), "-1..1"))
        enums = []
        for _ in range(self.random.randint(1, 2)):
            values = [self.fresh("E") for _ in range(self.random.randint(2, 3))]
            enums.append(self.declare(lines, Type("enum", values=values), f"enum {{ {', '.join(values)} }}"))
        sets = [self.declare(lines, Type("scalarset", capacity=2), "scalarset(2)")] if self.chance(0.6) else []
        unions = []
        if sets and not self.common and self.chance(0.5):
            members = [sets[0], enums[0]]
            unions.append(self.declare(lines, Type("union", members=members),
                                       f"union {{ {', '.join(m.text for m in members)} }}"))
        boolean = Type("boolean", "boolean")
        self.types = ranges + enums + sets + unions + [boolean]
        self.aggregates = []
        for _ in range(self.random.randint(1, 3)):
            self.aggregates.append(self.aggregate_type(lines))
        return lines

    def aggregate_type(self, lines):
        small = [t for t in self.types if t.size <= 3]
        if self.chance(0.5):
            parts = [(self.fresh("f"), self.random.choice(self.types)) for _ in range(self.random.randint(1, 2))]
            body = " ".join(f"{name}: {kind.text};" for name, kind in parts)
            return self.declare(lines, Type("record", fields=parts), f"record {body} {self.ending('record')}")
        index, element = self.random.choice(small), self.random.choice(self.types + self.aggregates)
        if element.weight ** index.size > 3000:
            element = Type("boolean", "boolean")
        return self.declare(lines, Type("array", index=index, element=element), f"array [{index.text}] of {element.text}")

    def variables_section(self):
        self.period = self.random.choice([2, 3])
        self.scope = [Name("clock", Type("range", "", 0, self.period - 1))]
        lines, budget = ["var", f"  clock: 0..{self.period - 1};"], STATE_BUDGET
        candidates = self.types + self.aggregates * 2 + [self.multiset_type()] * (0 if self.common else 2)
        for _ in range(self.random.randint(4, 9)):
            kind = self.random.choice(candidates)
            if kind.weight > budget:
                continue
            budget //= kind.weight
            name = self.fresh("v")
            self.scope.append(Name(name, kind, settled=self.chance(0.8)))
            self.note(f"variable {kind.kind}")
            lines.append(f"  {name}: {kind.text};")
        self.globals = list(self.scope)
        return lines

    def multiset_type(self):
        elements = [t for t in self.types + self.aggregates if t.weight <= 12 and not t.has_multiset]
        element, capacity = self.random.choice(elements or self.types), self.random.randint(1, 2)
        return Type("multiset", f"multiset [{capacity}] of {element.text}", element=element, capacity=capacity)

    # ---- routines ----
    def locals(self):
        """Local variables of a body, each settled at once: (declarations, first statements)."""
        declarations, first = [], []
        counter = f"local_counter{self.counter}"
        if self.chance(0.4):
            declarations.append(f"{counter}: 0..3;")
            first.append(f"{counter} := 0;")
            self.scope.append(Name(counter, Type("range", "", 0, 3), writable=False))
        for _ in range(self.random.choice([0, 0, 1, 2])):
            kind = self.random.choice([t for t in self.types + self.aggregates if not t.symmetric])
            name = self.fresh("l")
            self.note("local variable")
            declarations.append(f"{name}: {kind.text};")
            if self.risky():
                self.note("local left undefined")
            else:
                first.append(f"clear {name};")
            self.scope.append(Name(name, kind))
        return (["var"] + indent(declarations) if declarations else []), first

    def function(self):
        """A pure function; a recursive one counts its first parameter down."""
        recursive, risk = self.chance(0.4), self.risk
        counting = self.types[0]
        kinds = [counting] if recursive else [self.random.choice([t for t in self.types if not t.symmetric])]
        kinds += [self.random.choice([t for t in self.types if not t.symmetric])] * self.random.randint(0, 1)
        result = self.random.choice([t for t in self.types if t.kind in ("range", "boolean")])
        name, names = self.fresh("F"), [self.fresh("p") for _ in kinds]
        self.scope = [Name(n.text, n.type, False, n.settled) for n in self.globals]
        self.scope += [Name(n, k, writable=False) for n, k in zip(names, kinds)]
        head = f"function {name}({'; '.join(f'{n}: {k.text}' for n, k in zip(names, kinds))}): {result.text};"
        declarations, first = self.locals()
        self.returning = True
        lines = indent(first + self.block(self.random.randint(0, 1), 1))
        self.returning = False
        if recursive:
            self.note("recursion")
            rest = ", ".join([f"{names[0]} - 1"] + names[1:])
            lines += [f"  if {names[0]} > 0 then return {name}({rest}); end;"]
        if self.common:
            self.risk = 0.0  # Rumur does not check that a result is in range
        lines += [f"  return {self.value(result, 2)[0]};"]
        self.risk = risk
        self.scope = list(self.globals)
        self.functions.append((name, kinds, result))
        self.note("function")
        return [head, *declarations, "begin", *lines, "end;"]

    def procedure(self):
        parameters = []
        for _ in range(self.random.randint(1, 2)):
            kind = self.random.choice([n.type for n in self.globals if n.settled and n.type.text and
                                       n.type.kind != "multiset"] or [self.types[0]])
            by_reference = self.chance(0.6)
            self.note("var parameter" if by_reference else "value parameter")
            parameters.append((self.fresh("p"), kind, by_reference))
        name = self.fresh("P")
        self.scope = list(self.globals) if self.chance(0.5) else []
        self.scope += [Name(n, k, writable=by) for n, k, by in parameters]
        text = "; ".join(f"{'var ' if by else ''}{n}: {k.text}" for n, k, by in parameters)
        declarations, first = self.locals()
        lines = indent(first + self.block(self.random.randint(1, 3), 1))
        self.scope = list(self.globals)
        self.procedures.append((name, [(k, by) for _, k, by in parameters]))
        self.note("procedure")
        return [f"procedure {name}({text});", *declarations, "begin", *lines, "endprocedure;"]

    # ---- start states ----
    def start_states(self):
        lines = []
        for _ in range(self.random.choice([1, 1, 2])):
            lines += self.start_state()
        return lines

    def start_state(self):
        mark = len(self.scope)
        head = []
        if self.chance(0.4):
            self.note("startstate in a ruleset")
            head = [f"ruleset {self.quantifier(ranges=False)} do"]
        declarations, first = self.locals()
        lines = list(first)
        for name in self.globals:
            if name.settled or self.chance(0.3):
                if not (name.settled and self.risky()):
                    lines += self.initialise(name.text, name.type)
        lines += self.block(self.random.choice([0, 0, 1]), 1)
        del self.scope[mark:]
        self.note("startstate")
        title = f' "{self.fresh("start ")}"' if self.chance(0.5) else ""
        start = [f"startstate{title}", *declarations, "begin", *indent(lines), self.ending("startstate") + ";"]
        return head + (indent(start) + [self.ending("ruleset") + ";"] if head else start)

    def initialise(self, text, kind):
        """Gives every scalar inside a value, except those whose values only a quantifier can make."""
        if kind.kind == "multiset":
            return [f"undefine {text};"] if self.chance(0.5) else [f"MultiSetRemovePred({self.fresh('m')}: {text}, true);"]
        if not kind.symmetric and self.chance(0.5):
            return [f"clear {text};"]
        if kind.scalar:
            literal = self.literal(kind)
            return [f"{text} := {literal};"] if literal else [f"undefine {text};"]
        if kind.kind == "record":
            return [line for name, part in kind.fields for line in self.initialise(f"{text}.{name}", part)]
        name = self.fresh("q")
        return [f"for {name}: {kind.index.text} do", *indent(self.initialise(f"{text}[{name}]", kind.element)), "endfor;"]

    # ---- rules ----
    def rules(self):
        mark = len(self.scope)
        wrappers = []
        if self.chance(0.55):
            quantifiers = [self.quantifier(ranges=not self.common) for _ in range(self.random.choice([1, 1, 2]))]
            wrappers.append((f"ruleset {'; '.join(quantifiers)} do", "ruleset"))
            self.note("ruleset")
        sets = [n for n in self.globals if n.type.kind == "multiset"]
        chosen = slot = None
        if sets and self.chance(0.6):
            chosen, slot = self.random.choice(sets), self.fresh("c")
            wrappers.append((f"choose {slot}: {chosen.text} do", "choose"))
            self.scope.append(Name(f"{chosen.text}[{slot}]", chosen.type.element))
            self.note("choose")
        if self.chance(0.2):
            found = self.place(lambda t: True, writable=True, unsettled=True)
            name = self.fresh("a")
            wrappers.append((f"alias {name}: {found[0]} do", "alias"))
            self.scope.append(Name(name, found[1], settled=found[2]))
            self.note("alias rule")
        lines = self.rule(chosen, slot)
        if self.chance(0.2):
            lines += self.rule(None, None)
        del self.scope[mark:]
        for opening, word in reversed(wrappers):
            lines = [opening, *indent(lines), self.ending(word) + ";"]
        return lines

    def guard(self):
        """Often true, so that there is something to explore; sometimes left out."""
        roll = self.random.random()
        if roll < 0.15:
            return None
        condition = self.boolean(3)[0]
        found = self.place(lambda t: t.kind in ("range", "enum", "boolean")) if roll < 0.6 else None
        return f"{found[0]} {self.random.choice(['=', '!='])} {self.literal(found[1])} | ({condition})" if found else condition

    def rule(self, chosen, slot):
        mark = len(self.scope)
        guard = self.guard()
        declarations, first = self.locals()
        lines = first + ((self.advance(0) or []) if self.chance(0.7) else []) + self.block(self.random.randint(1, 3), 2)
        if chosen and self.chance(0.7):
            self.note("MultiSetRemove")
            lines.append(f"MultiSetRemove({slot}, {chosen.text});")
        del self.scope[mark:]
        title = f' "{self.fresh("rule ")}"' if self.chance(0.8) else ""
        priority = ""
        if title and not self.common and self.chance(0.1):  # before a guard without a title a number is part of the guard
            self.note("priority")
            priority = f" {self.random.randint(0, 2)}"
        self.note("rule")
        head = f"rule{priority}{title}" + (f" {guard} ==>" if guard else "")
        return [head, *declarations, "begin", *indent(lines), self.ending("rule") + ";"]

    # ---- properties ----
    def properties(self):
        lines = []
        for _ in range(self.random.randint(0, 2)):
            lines += self.property_item()
        if self.chance(0.15):
            self.note("assume")
            lines.append(f'assume "assumption" {self.boolean(1)[0]} | clock = 0;')
        return lines + ['invariant "always" clock >= 0;']

    def property_item(self):
        kind = self.random.choice(["invariant"] * 3 + ["cover", "liveness"])
        self.note(kind)
        mark = len(self.scope)
        head = f"ruleset {self.quantifier(ranges=not self.common)} do " if self.chance(0.3) else ""
        if head:
            self.note("property in a ruleset")
        condition = self.boolean(2)[0]
        if kind == "invariant" and self.chance(0.8):
            condition = f"({condition}) | clock < {self.period}"
        if kind != "invariant" and self.chance(0.8):
            condition = f"({condition}) | clock = 1"
        del self.scope[mark:]
        return [f'{head}{kind} "{self.fresh(kind + " ")}" {condition};{" end;" if head else ""}']
