"""The worked example of the README, so that a test can keep it true."""
import re
import shlex


def example(path):
    """(model text, file name, arguments of fathom, output) from the first two code blocks of the page.

    The first block is the model; its file name stands in backquotes somewhere before it. The second begins with
    `$ ./fathom …`, and what follows is the output.
    """
    text = path.read_text(encoding="utf-8")
    blocks = re.findall(r"^```[a-z]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    model, transcript = blocks[0], blocks[1]
    command, _, output = transcript.partition("\n")
    words = shlex.split(command.removeprefix("$ "))
    if words[0] != "./fathom":
        raise ValueError(f"the second block of {path.name} must begin with `$ ./fathom`")
    return model, words[-1], words[1:], output
