"""Random Promela programs: declarations, channels and processes."""
import random
from collections import Counter
from dataclasses import dataclass, field

from promela_statements import FIRST_WORKER, Channel, Place, Statements

CHANNEL_TYPES = [("byte",), ("bit", "byte"), ("mtype",), ("mtype", "byte")]


@dataclass
class Process:
    name: str
    locals: list = field(default_factory=list)  # of numbers, assignable
    mtypes: list = field(default_factory=list)
    channels: list = field(default_factory=list)
    parameters: list = field(default_factory=list)
    labels: list = field(default_factory=list)
    active: bool = False
    worker: bool = False  # a kind of which `run` makes processes


class Program(Statements):
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.used = Counter()
        self.numbers, self.arrays, self.mtypes, self.channels = [], [], [], []
        self.structure = self.structure_channel = self.channel_carrier = None
        self.process = None
        self.workers = []
        self.names = 0
        self.active = 0  # processes of the initial state
        # What only some programs have.
        self.with_priorities = self.chance(0.12)
        self.with_rendezvous = not self.with_priorities and self.chance(0.6)
        self.with_timeout = self.chance(0.2)
        self.with_enabled = not self.with_rendezvous and self.chance(0.1)

    def generate(self):
        head = ["mtype = { red, green };"]
        head += self.global_numbers()
        head += self.global_channels()
        if self.chance(0.25):
            head.append(self.use("inline", "inline twice(v, w) { v = (w + 1) % 3; v = (v + w) % 2 }"))
            self.has_inline = True
        else:
            self.has_inline = False
        bodies = []
        if self.chance(0.6):
            for _ in range(self.random.randint(1, 2)):
                bodies.append(self.proctype(worker=True))
        for _ in range(self.random.randint(1, 2)):
            bodies.append(self.proctype(worker=False))
        if self.workers and self.chance(0.7):
            bodies.append(self.init())
        text = "\n".join(head + bodies) + "\n"
        return text.replace(FIRST_WORKER, str(self.active))

    def global_numbers(self):
        lines = []
        for _ in range(self.random.randint(1, 3)):
            name = self.fresh("g")
            kind = self.one("byte", "byte", "byte", "bit", "bool", "short", "int", "unsigned")
            hidden = self.use("hidden", "hidden ") if kind in ("byte", "short", "int") and self.chance(0.06) else ""
            width = " : 2" if kind == "unsigned" else ""
            start = f" = {self.random.randint(0, 1)}" if self.chance(0.3) else ""
            lines.append(self.use(kind, f"{hidden}{kind} {name}{width}{start};"))
            if not hidden:
                self.numbers.append(name)
        if not self.numbers:
            self.numbers.append("g0")
            lines.append("byte g0;")
        if self.chance(0.4):
            name = self.fresh("a")
            self.arrays.append(name)
            lines.append(self.use("array", f"byte {name}[2]{self.one('', ' = 1', ' = { 1, 0 }')};"))
        if self.chance(0.3):
            self.structure = self.fresh("s")
            lines.append("typedef Pair { bit first; byte second[2] };")
            lines.append(self.use("structure", f"Pair {self.structure};"))
            self.numbers += [f"{self.structure}.first", f"{self.structure}.second[1]"]
        if self.chance(0.4):
            self.mtypes.append(self.fresh("m"))
            lines.append(self.use("mtype", f"mtype {self.mtypes[-1]};"))
        return lines

    def global_channels(self):
        lines = []
        for _ in range(self.random.randint(0, 3)):
            fields = self.one(*CHANNEL_TYPES)
            rendezvous = self.with_rendezvous and self.chance(0.6)
            capacity = 0 if rendezvous else self.random.randint(1, 2)
            self.used["rendezvous channel" if rendezvous else "buffered channel"] += 1
            name = self.fresh("q")
            if self.chance(0.2):
                self.used["array of channels"] += 1
                lines.append(f"chan {name}[2] = [{capacity}] of {{ {', '.join(fields)} }};")
                index = self.one("0", "1", f"({self.numbers[0]} & 1)")
                self.channels.append(Channel(f"{name}[{index}]", fields, rendezvous))
                self.channels.append(Channel(f"{name}[1]", fields, rendezvous))
            else:
                lines.append(f"chan {name} = [{capacity}] of {{ {', '.join(fields)} }};")
                self.channels.append(Channel(name, fields, rendezvous))
        if self.channels and self.chance(0.2):
            self.channel_carrier = self.fresh("carrier")
            lines.append(self.use("channel in a message", f"chan {self.channel_carrier} = [1] of {{ chan }};"))
        if self.structure and self.chance(0.5):
            self.structure_channel = self.fresh("sq")
            lines.append(self.use("structure message", f"chan {self.structure_channel} = [2] of {{ Pair }};"))
        return lines

    def proctype(self, worker):
        name = self.fresh("W" if worker else "P")
        self.process = process = Process(name, worker=worker)
        head = f"proctype {name}"
        if not worker or self.chance(0.2):
            copies = 2 if self.chance(0.15) else 1
            process.active = True
            self.active += copies
            self.used["active array" if copies == 2 else "active"] += 1
            head = f"active {'[2] ' if copies == 2 else ''}{head}"
        if self.chance(0.08):
            head = head.replace("proctype", self.use("D_proctype", "D_proctype"))
        if worker:
            if self.chance(0.5):
                parameter = self.fresh("p")
                process.parameters.append(("byte", parameter))
                process.locals.append(parameter)
                self.used["run parameter"] += 1
            if self.channels and self.chance(0.4):
                like = self.one(*self.channels)
                parameter = self.fresh("c")
                process.parameters.append((like, parameter))
                if not process.active:
                    process.channels.append(Channel(parameter, like.fields, like.rendezvous))
                self.used["channel parameter"] += 1
        parameters = "; ".join(f"{'chan' if isinstance(kind, Channel) else kind} {what}" for kind, what in process.parameters)
        priority = ""
        if self.with_priorities and self.chance(0.7):
            priority = self.use("priority", f" priority {self.random.randint(1, 3)}")
        provided = ""
        if self.chance(0.08):
            provided = self.use("provided", f" provided ({self.global_condition()})")
        body = self.body()
        if worker:
            self.workers.append(process)
        return f"{head}({parameters}){priority}{provided} {{\n{body}}}"

    def init(self):
        self.process = Process("init")
        self.used["init"] += 1
        self.active += 1
        lines = self.local_declarations()
        starts = "; ".join(self.run(self.one(*self.workers)) for _ in range(self.random.randint(1, 2)))
        lines.append(f"  atomic {{ {starts} }}" if self.chance(0.6) else f"  {starts}")
        if self.chance(0.4):
            lines += [";"] + self.sequence(Place(depth=2), self.random.randint(1, 2))
        return "init {\n" + "\n".join(lines) + "\n}"

    def local_declarations(self):
        lines = []
        for _ in range(self.random.randint(0, 2)):
            kind = self.one("byte", "bit", "short", "byte")
            name = self.fresh("l")
            lines.append(self.use("local", f"  {kind} {name}{self.one('', ' = 1')};"))
            self.process.locals.append(name)
        if self.chance(0.25):
            self.process.mtypes.append(self.fresh("lm"))
            lines.append(f"  mtype {self.process.mtypes[-1]};")
        if self.chance(0.12):
            fields = self.one(*CHANNEL_TYPES)
            name = self.fresh("lq")
            self.process.channels.append(Channel(name, fields, False))
            lines.append(f"  chan {name} = [1] of {{ {', '.join(fields)} }};")
        if self.channels and self.chance(0.15):
            like = self.one(*self.channels)
            name = self.fresh("cv")
            self.process.channels.append(Channel(name, like.fields, like.rendezvous))
            lines.append(self.use("channel variable", f"  chan {name} = {like.name};"))
        return lines

    def body(self):
        lines = self.local_declarations()
        lines += self.sequence(Place(), self.random.randint(1, 4))
        return "\n".join(lines) + "\n"
