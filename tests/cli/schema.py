"""A validator for the part of JSON Schema that docs/report.schema.json uses. A keyword it does not know is an error, so
the schema cannot outgrow it silently."""

TYPES = {"object": dict, "array": list, "string": str, "null": type(None), "boolean": bool}
ANNOTATIONS = {"$schema", "$defs", "title", "description"}


def has_type(value, name):
    if name in ("integer", "number"):
        return isinstance(value, int if name == "integer" else (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


class Validator:
    def __init__(self, schema):
        self.root = schema

    def problems(self, value):
        """Every place in which the value does not fit the schema."""
        return list(self.check(value, self.root, "report"))

    def check(self, value, schema, where):
        for keyword, argument in schema.items():
            if keyword not in ANNOTATIONS:
                yield from getattr(self, "check_" + keyword.strip("$"))(value, argument, where, schema)

    def check_ref(self, value, argument, where, _):
        target = self.root
        for part in argument.removeprefix("#/").split("/"):
            target = target[part]
        yield from self.check(value, target, where)

    def check_type(self, value, argument, where, _):
        names = argument if isinstance(argument, list) else [argument]
        if not any(has_type(value, name) for name in names):
            yield f"{where}: {value!r} is not of type {' or '.join(names)}"

    def check_const(self, value, argument, where, _):
        if value != argument:
            yield f"{where}: {value!r} is not {argument!r}"

    def check_enum(self, value, argument, where, _):
        if value not in argument:
            yield f"{where}: {value!r} is none of {argument}"

    def check_minimum(self, value, argument, where, _):
        if has_type(value, "number") and value < argument:
            yield f"{where}: {value} is less than {argument}"

    def check_required(self, value, argument, where, _):
        for name in argument:
            if isinstance(value, dict) and name not in value:
                yield f"{where}: `{name}` is missing"

    def check_properties(self, value, argument, where, _):
        for name, schema in argument.items():
            if isinstance(value, dict) and name in value:
                yield from self.check(value[name], schema, f"{where}.{name}")

    def check_additionalProperties(self, value, argument, where, schema):  # noqa: N802
        for name in value if isinstance(value, dict) else ():
            if name in schema.get("properties", {}):
                continue
            if argument is False:
                yield f"{where}: `{name}` is not allowed"
            elif isinstance(argument, dict):
                yield from self.check(value[name], argument, f"{where}.{name}")

    def check_items(self, value, argument, where, _):
        for index, item in enumerate(value if isinstance(value, list) else ()):
            yield from self.check(item, argument, f"{where}[{index}]")

    def check_anyOf(self, value, argument, where, _):  # noqa: N802
        if not any(not list(self.check(value, schema, where)) for schema in argument):
            yield f"{where}: fits none of the alternatives"

    def check_oneOf(self, value, argument, where, _):  # noqa: N802
        fitting = sum(not list(self.check(value, schema, where)) for schema in argument)
        if fitting != 1:
            yield f"{where}: fits {fitting} of the alternatives, not one"
