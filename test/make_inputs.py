#!/usr/bin/env python3
"""Makes inputs for a model, the same ones every time.

usage: make_inputs.py MODEL.mlir DIR

Reads the signature of @main in MODEL.mlir (static shapes of f32, i32, i1, ui64) and
writes to DIR
  NUMBER.bin  the values of each argument: f32 uniform in -0.1 .. 0.1, i32
              uniform in 0 .. 7, others uniform in their range
  flags       for `iree-run-module --flagfile=`: the function and its inputs
  outputs     the same, writing all results, one after the other, to results.bin
              in the directory the program runs in

Values differ from element to element, so that a tensor mistaken for another, or
computed from one that was overwritten, shows in the results.
"""

import array
import random
import re
import sys
from pathlib import Path

# How to make and store one value of a type.
ELEMENT_TYPES = {
    "f32": ("f", lambda source: source.uniform(-0.1, 0.1)),
    "i32": ("i", lambda source: source.randrange(8)),
    "i1": ("B", lambda source: source.randrange(2)),
    "ui64": ("Q", lambda source: source.randrange(1 << 64)),
}


def split_signature(text):
    """The argument and the result part of the signature of @main."""
    text = re.sub(r"//.*", "", text)
    start = text.find("@main(")
    if start < 0:
        sys.exit("make_inputs: error: no function @main")
    end = text.index(")", start)
    results = re.match(r"\)\s*->\s*(\([^()]*\)|[^{]*)", text[end:])
    return text[start:end], results.group(1) if results else ""


def write_argument(directory, number, tensor_type):
    """Writes the values of an argument; returns the flag that passes them."""
    *shape, element = tensor_type.split("x")
    if element not in ELEMENT_TYPES or not all(size.isdigit() for size in shape):
        sys.exit(f"make_inputs: error: cannot make a tensor<{tensor_type}>")
    count = 1
    for size in shape:
        count *= int(size)
    code, make = ELEMENT_TYPES[element]
    source = random.Random(number)
    path = directory / f"{number}.bin"
    with open(path, "wb") as file:
        array.array(code, (make(source) for _ in range(count))).tofile(file)
    return f"--input={tensor_type}=@{path}"


def main():
    if len(sys.argv) != 3:
        print("usage: make_inputs.py MODEL.mlir DIR", file=sys.stderr)
        return 2
    arguments, results = split_signature(Path(sys.argv[1]).read_text())
    directory = Path(sys.argv[2]).resolve()
    directory.mkdir(parents=True, exist_ok=True)
    flags = ["--function=main"]
    for number, tensor_type in enumerate(re.findall(r"tensor<([^>]*)>", arguments)):
        flags.append(write_argument(directory, number, tensor_type))
    (directory / "flags").write_text("\n".join(flags) + "\n")
    result_count = len(re.findall(r"tensor<[^>]*>", results))
    outputs = ["--output=@results.bin"] + ["--output=+results.bin"] * (result_count - 1)
    (directory / "outputs").write_text("\n".join(outputs[:result_count]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
