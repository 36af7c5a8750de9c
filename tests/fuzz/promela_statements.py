"""Random Promela statements. Loops inside an atomic sequence are bounded, and nothing inside a d_step can block."""
from dataclasses import dataclass, replace

from promela_expressions import Expressions

# Stands for the number of the first process that is not there at the start: Spin does not look at what a process is when
# it is asked where it is.
FIRST_WORKER = "$"


@dataclass
class Channel:
    name: str  # as an expression
    fields: tuple
    rendezvous: bool


@dataclass
class Place:
    """Where a statement stands."""
    depth: int = 0
    atomic: bool = False
    d_step: bool = False
    loop: bool = False  # a `break` is possible here
    jumps: bool = True  # and a `goto`
    guard: bool = False


class Statements(Expressions):
    def sequence(self, place, count):
        """Lines of `count` statements."""
        lines = []
        printed = True  # a `skip` behind printf or another skip is dropped by Spin
        for k in range(count):
            here = replace(place, guard=place.guard and k == 0)
            text = self.statement(here, no_skip=k > 0 and printed)
            printed = text.startswith(("skip", "printf", "goto", "break"))
            label = ""
            declares = text.startswith(("byte ", "chan ", "Pair "))
            if place.depth == 0 and not place.atomic and not declares and self.chance(0.12):
                name = self.fresh(self.one("end", "L", "L"))
                self.process.labels.append(name)
                if name.startswith("end"):
                    self.used["end label"] += 1
                label = f"{name}: "
            separator = ";" if k + 1 < count else ""
            lines.append("  " * (place.depth + 1) + label + text + separator)
        return lines

    def statement(self, place, no_skip=False):
        compound = place.depth < 3 and not (place.d_step and place.depth > 2)
        pick = self.random.random()
        if compound and pick < 0.34:
            return self.compound(place)
        return self.basic(place, no_skip)

    def compound(self, place):
        inner = replace(place, depth=place.depth + 1)
        choices = [self.choice, self.choice, self.for_loop]
        if not place.d_step:
            choices += [self.block]
            if not place.guard:
                choices += [self.select]
        if not place.atomic and not place.d_step:
            choices += [self.repetition, self.repetition, self.atomic, self.atomic, self.atomic]
            if not place.guard:  # there Spin takes it for a mistake
                choices += [self.unless, self.unless]
        if not place.d_step:
            choices += [self.d_step]
        return self.one(*choices)(inner)

    def options(self, inner, needs_else):
        count = self.random.randint(1, 3)
        texts = []
        for _ in range(count):
            lines = self.sequence(replace(inner, guard=True), self.random.randint(1, 3))
            texts.append(":: " + "\n".join(lines).strip())
        if needs_else or self.chance(0.3):
            body = self.sequence(replace(inner, guard=False), self.random.randint(1, 2))
            texts.append(self.use("else", ":: else -> " + "\n".join(body).strip()))
        indent = "\n" + "  " * inner.depth
        return indent.join(texts)

    def choice(self, inner):
        needs_else = inner.d_step
        return self.use("if", f"if {self.options(inner, needs_else)} fi")

    def repetition(self, inner):
        inner = replace(inner, loop=True)
        return self.use("do", f"do {self.options(inner, False)} od")

    def block(self, inner):
        return self.use("block", "{ " + self.joined(inner, 2) + " }")

    def joined(self, inner, most):
        return " ".join(line.strip() for line in self.sequence(inner, self.random.randint(1, most)))

    def atomic(self, inner):
        # The way round a loop must not lie in an atomic sequence: it might have no end.
        return self.use("atomic", "atomic { " + self.joined(replace(inner, atomic=True, loop=False), 3) + " }")

    def d_step(self, inner):
        first = self.basic(replace(inner, d_step=False, atomic=True, guard=True, jumps=False, loop=False), True, for_d_step=True)
        rest = self.joined(replace(inner, d_step=True, atomic=True, loop=False, jumps=False, guard=False), 2)
        return self.use("d_step", f"d_step {{ {first}; {rest} }}")

    def unless(self, inner):
        self.used["unless"] += 1
        body = self.joined(replace(inner, loop=False), 3)
        escape = self.escape(inner)
        text = f"{{ {body} }} unless {{ {escape} }}"
        if self.chance(0.25):
            outer = self.escape(inner)
            text = self.use("nested unless", f"{{ {text} }} unless {{ {outer} }}")
        return text

    def escape(self, inner):
        # Spin takes an `else` at the start of an escape although another option is executable.
        place = replace(inner, loop=False)
        first = self.basic(replace(place, guard=True), False)
        return first if self.chance(0.5) else f"{first}; {self.statement(place, no_skip=True)}"

    def for_loop(self, inner):
        counter = self.fresh("i")
        if self.arrays and self.chance(0.3):
            head = self.use("for in array", f"{counter} in {self.one(*self.arrays)}")
        else:
            head = self.use("for", f"{counter} : 0 .. 1")
        body = self.joined(replace(inner, loop=False), 1)
        return f"byte {counter}; for ({head}) {{ {body} }}"

    def select(self, inner):
        variable = self.one(*(each for each in self.numbers if "." not in each))
        if self.chance(0.25):
            return self.use("select stepwise", f"select ({variable} : 0 .. {self.variable()} & 1)")
        return self.use("select", f"select ({variable} : 0 .. 1)")

    def basic(self, place, no_skip, for_d_step=False):
        choices = [self.assignment] * 6 + [self.expression] * (0 if place.d_step else 4 if place.guard else 2)
        choices += [self.assertion, self.print_it]
        if not no_skip:
            choices.append(self.skip)
        usable = self.channels + self.process.channels
        if usable and not place.d_step:
            choices += [self.send] * 3 + [self.receive] * 3
        if not place.d_step and not for_d_step:
            choices += [self.special] * 2
            if place.loop:
                choices.append(self.leave)
            if place.jumps and self.process.labels and not place.guard:
                choices.append(self.jump)
            if self.workers and not place.atomic:
                choices += [self.run_in_passing]
        self.for_d_step = for_d_step
        self.place = place
        return self.one(*choices)()

    def assignment(self):
        pick = self.random.random()
        if pick < 0.1:
            return self.use("increment", f"{self.one(*self.numbers, *self.process.locals)} = {self.small()}")
        if pick < 0.2 and (self.mtypes or self.process.mtypes):
            return f"{self.one(*(self.mtypes + self.process.mtypes))} = {self.one('red', 'green')}"
        if pick < 0.26 and self.process.locals and self.has_inline and not self.place.d_step:
            return f"twice({self.one(*self.process.locals)}, {self.one(*self.numbers)})"
        if pick < 0.29 and self.with_priorities:
            return self.use("set_priority", f"set_priority(_pid, {self.random.randint(1, 3)})")
        return self.use("assignment", f"{self.variable()} = {self.small()}")

    def expression(self):
        if self.channels and self.chance(0.2):
            return self.probe()
        return self.use("expression", self.condition())

    def assertion(self):
        return self.use("assert", f"assert({self.condition()})" if self.chance(0.15) else f"assert({self.variable()} < 100)")

    def print_it(self):
        return self.use("printf", 'printf("%d", ' + self.variable() + ")")

    def skip(self):
        return self.use("skip", "skip")

    def usable_channel(self):
        channels = self.channels + self.process.channels
        if self.for_d_step:
            channels = [each for each in channels if not each.rendezvous]
        return self.one(*channels) if channels else None

    def send(self):
        channel = self.usable_channel()
        if channel is None:
            return self.assignment()
        sign = self.use("c!!", "!!") if not channel.rendezvous and self.chance(0.2) else self.use("send", "!")
        arguments = ", ".join(self.sent(kind) for kind in channel.fields)
        return f"{channel.name}{sign}{arguments}"

    def sent(self, kind):
        if kind == "mtype":
            return self.one("red", "green")
        return f"{self.number(1)} & 1" if self.chance(0.4) else self.one("0", "1")

    def receive(self):
        channel = self.usable_channel()
        if channel is None:
            return self.assignment()
        arguments = ", ".join(self.received(kind) for kind in channel.fields)
        if channel.rendezvous:
            return self.use("receive", f"{channel.name}?{arguments}")
        sign = self.use("c??", "??") if self.chance(0.2) else "?"
        if self.chance(0.15):
            return self.use("copy random" if sign == "??" else "c?<>", f"{channel.name}{sign}<{arguments}>")
        return self.use("receive", f"{channel.name}{sign}{arguments}")

    def received(self, kind):
        if self.chance(0.12):
            return self.use("wildcard", "_")
        if kind == "mtype":
            variables = self.mtypes + self.process.mtypes
            return self.one(*variables) if variables and self.chance(0.5) else self.one("red", "green")
        if self.chance(0.15):
            return self.use("eval", f"eval({self.variable()})")
        return self.one(*self.numbers, *self.process.locals) if self.chance(0.6) else self.one("0", "1")

    def leave(self):
        return self.use("break", "break")

    def jump(self):
        if self.place.atomic:
            self.used["jump out of atomic"] += 1
        return self.use("goto", f"goto {self.one(*self.process.labels)}")

    def run(self, worker):
        arguments = []
        for kind, _ in worker.parameters:
            arguments.append(kind.name if isinstance(kind, Channel) else str(self.random.randint(0, 1)))
        priority = ""
        if self.with_priorities and self.chance(0.4):
            priority = self.use("run with a priority", f" priority {self.random.randint(1, 3)}")
        return self.use("run", f"run {worker.name}({', '.join(arguments)}){priority}")

    def run_in_passing(self):
        self.used["run in a loop"] += 1
        run = self.run(self.one(*self.workers))
        return f"atomic {{ _nr_pr < {self.random.randint(3, 5)} -> {run} }}"

    def special(self):
        pick = self.random.random()
        if pick < 0.2 and self.with_timeout:
            return self.use("timeout", "timeout")
        if pick < 0.35 and not self.place.guard:
            name = self.fresh("d")
            self.used["declaration between statements"] += 1
            return f"byte {name}{self.one('', ' = 1')}; {name} = {self.small()}"
        if pick < 0.5 and self.channel_carrier:
            return self.through_the_carrier()
        if pick < 0.65 and self.structure_channel:
            if self.chance(0.3) and not self.place.guard:
                name = self.fresh("e")
                self.used["for in channel"] += 1
                return f"Pair {name}; for ({name} in {self.structure_channel}) {{ {self.assignment()} }}"
            return self.structure_channel + self.one("!", "?") + self.structure
        if pick < 0.75 and self.only_worker() and self.only_worker().labels:
            worker = self.only_worker()
            return self.use("remote label", f"!({worker.name}[{FIRST_WORKER}]@{worker.labels[0]})")
        return self.assignment()

    def only_worker(self):
        """The kind of all processes that `run` makes: Spin compares places by number, also those of other kinds (docs/promela.md)."""
        alone = len(self.workers) == 1 and not self.process.worker and not self.workers[0].active
        return self.workers[0] if alone else None

    def through_the_carrier(self):
        """Channels travel through a channel of channels; the one that comes out is used at once."""
        like = self.one(*self.channels)
        if self.chance(0.5):
            return f"{self.channel_carrier}!{like.name}"
        name = self.fresh("got")
        return f"chan {name}; {self.channel_carrier}?{name}" if not self.place.guard else f"{self.channel_carrier}!{like.name}"
