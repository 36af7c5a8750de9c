"""Random Promela expressions, and the choices every part of the generator makes."""


class Expressions:
    """What the other parts share; `Program` has the variables these speak of."""

    def chance(self, probability):
        return self.random.random() < probability

    def one(self, *choices):
        return self.random.choice(choices)

    def use(self, construct, text):
        self.used[construct] += 1
        return text

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def variable(self):
        choices = self.numbers + self.process.locals * 2
        if self.arrays and self.chance(0.2):
            return f"{self.one(*self.arrays)}[{self.one('0', '1', self.one(*choices) + ' & 1')}]"
        return self.one(*choices)

    def number(self, depth=0):
        pick = self.random.random()
        if depth > 1 or pick < 0.3:
            return str(self.random.randint(0, 2))
        if pick < 0.62:
            return self.variable()
        if pick < 0.66 and self.channels:
            return self.use("len", f"len({self.one(*self.channels).name})")
        if pick < 0.69:
            return self.use("pid", "_pid")
        if pick < 0.71:
            return self.use("process count", "_nr_pr")
        if pick < 0.76:
            return self.use("conditional", f"({self.condition(depth + 1)} -> {self.number(depth + 1)} : {self.number(depth + 1)})")
        if pick < 0.78:
            return f"({self.number(depth + 1)} {self.one('%', '/')} {self.random.randint(1, 3)})"
        if pick < 0.80 and self.with_priorities:
            return self.use(*self.one(("_priority", "_priority"), ("get_priority", "get_priority(_pid)")))
        if pick < 0.81:
            return f"(~{self.number(depth + 1)} & 3)"
        operator = self.one("+", "-", "*", "&", "|", "^", "<<", ">>", "+")
        right = str(self.random.randint(0, 2)) if operator in ("<<", ">>") else self.number(depth + 1)
        return f"({self.number(depth + 1)} {operator} {right})"

    def small(self):
        """A number that keeps the state space small when it is stored."""
        return self.one(str(self.random.randint(0, 2)), f"({self.number(1)}) & {self.one(1, 1, 3)}", f"1 - {self.variable()}",
                        f"({self.variable()} + 1) % {self.one(2, 3)}")

    def comparison(self, depth=0):
        operator = self.one("==", "!=", "<", "<=", ">", ">=", "==")
        return f"{self.number(depth + 1)} {operator} {self.number(depth + 1)}"

    def probe(self):
        channel = self.one(*self.channels)
        if self.chance(0.5):
            word = self.one("full", "empty", "nfull", "nempty")
            return self.use(word, f"{word}({channel.name})")
        if channel.rendezvous:
            return f"len({channel.name}) == 0"
        return self.poll(channel)

    def poll(self, channel):
        sign = "??" if self.chance(0.4) else "?"
        arguments = ", ".join(self.match(kind) for kind in channel.fields)
        return self.use(f"c{sign}[]", f"{channel.name}{sign}[{arguments}]")

    def match(self, kind):
        if kind == "mtype":
            return self.one("red", "green")
        return self.one("0", "1", f"eval({self.variable()})", "_") if kind == "byte" else self.one("0", "1")

    def condition(self, depth=0):
        pick = self.random.random()
        if depth > 1 or pick < 0.6:
            return f"({self.comparison(depth)})"
        if pick < 0.7:
            return f"({self.variable()})"
        if pick < 0.76 and (self.mtypes or self.process.mtypes):
            return f"({self.one(*(self.mtypes + self.process.mtypes))} {self.one('==', '!=')} {self.one('red', 'green')})"
        if pick < 0.84:
            return f"({self.condition(depth + 1)} {self.one('&&', '||')} {self.condition(depth + 1)})"
        if pick < 0.88:
            return f"!{self.condition(depth + 1)}"
        if pick < 0.93 and self.with_enabled:
            return self.use("enabled", f"(enabled((_pid + {self.random.randint(1, 2)}) % 4))")
        return f"({self.comparison(depth)})"

    def global_condition(self):
        return f"{self.one(*self.numbers)} {self.one('==', '!=', '<', '>=')} {self.random.randint(0, 2)}"
