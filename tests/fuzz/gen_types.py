"""The types of random Murphi programs, and the names a program has in scope."""
from dataclasses import dataclass, field
from typing import Optional


@dataclass
class Type:
    """A Murphi type. `text` is how it is written where it is used: its name, or a whole anonymous type."""
    kind: str  # range, enum, boolean, scalarset, union, record, array, multiset
    text: str = ""
    low: int = 0
    high: int = 0
    values: list = field(default_factory=list)   # enum
    members: list = field(default_factory=list)  # union
    fields: list = field(default_factory=list)   # record: (name, Type)
    index: Optional["Type"] = None               # array
    element: Optional["Type"] = None             # array, multiset
    capacity: int = 0                            # scalarset, multiset

    @property
    def scalar(self):
        return self.kind in ("range", "enum", "boolean", "scalarset", "union")

    @property
    def size(self):
        """How many defined values a scalar has."""
        return {"range": self.high - self.low + 1, "boolean": 2, "enum": len(self.values), "scalarset": self.capacity,
                "union": sum(member.size for member in self.members)}[self.kind]

    @property
    def weight(self):
        """An upper bound for the number of values, `undefined` included: it keeps state spaces small."""
        if self.scalar:
            return self.size + 1
        if self.kind == "record":
            product = 1
            for _, part in self.fields:
                product *= part.weight
            return product
        if self.kind == "array":
            return self.element.weight ** self.index.size
        return (self.element.weight + 1) ** self.capacity

    def leaves(self):
        """The scalar types inside, multiset elements included."""
        if self.scalar:
            yield self
        for part in [part for _, part in self.fields] + ([self.element] if self.element else []):
            yield from part.leaves()

    @property
    def symmetric(self):
        """Does it hold values that only a quantifier can make, so that `clear` would break the symmetry?"""
        return any(leaf.kind == "scalarset" or any(m.kind == "scalarset" for m in leaf.members)
                   for leaf in self.leaves())

    @property
    def has_multiset(self):
        return self.kind == "multiset" or any(part.has_multiset for _, part in self.fields) or (
            self.kind == "array" and self.element.has_multiset)


@dataclass
class Name:
    """Something that can be named in an expression. A `settled` one never holds an undefined scalar, except where its
    type is symmetric: those start undefined, because a start state has no value of a scalarset to give."""
    text: str
    type: Type
    writable: bool = True
    settled: bool = True
