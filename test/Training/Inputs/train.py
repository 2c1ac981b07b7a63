"""Trains a model written by remat-gen, once per compiled module.

    train.py MODEL.mlir PLAIN.vmfb OTHER.vmfb [--steps=30] [--rate=0.1]

Each module starts from the same parameters and sees the same few made-up samples
at each step; the new parameters and states of a step are those of the next. Fails unless the loss falls to less than
80 % of the first, and all losses of both modules are bit-identical. Needs
nothing but Python and iree-run-module.
"""

import argparse
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile


def read_ports(text):
    head, body = text[text.index("@main(") :].split(") -> (", 1)
    port = r'tensor<([^>]*)> \{remat.kind = "([^"]*)", remat.name = "([^"]*)"[,}]'
    return re.findall(port, head), re.findall(port, body[: body.index(") {")])


def pack(dtype, values):
    """The bytes of numbers of type f32, f16 or bf16, in the last case cut off."""
    if dtype == "f16":
        return struct.pack(f"<{len(values)}e", *values)
    words = struct.pack(f"<{len(values)}f", *values)
    if dtype == "f32":
        return words
    return b"".join(words[i + 2 : i + 4] for i in range(0, len(words), 4))


def initial_value(type_text, kind, name, generator, options):
    """The bytes of an argument of the first step. Sample i has the class i
    modulo their number, and images are the brighter the higher their class."""
    *shape, dtype = type_text.split("x")
    shape = [int(extent) for extent in shape]
    count = math.prod(shape)
    if dtype == "i32":
        values = [i % options.classes for i in range(count)]
        if name == "tokens":
            generator.shuffle(values)
        return struct.pack(f"<{count}i", *values)
    if name == "learning_rate":
        values = [options.rate]
    elif name == "input":
        per_sample = count // shape[0]
        values = []
        for i in range(shape[0]):
            bright = 2 * (i % options.classes) / (options.classes - 1) - 1
            values += [generator.gauss(bright, 0.3) for _ in range(per_sample)]
    elif name.endswith(".scale"):
        values = [1.0] * count
    elif kind == "optimizer-state" or not name.endswith((".weight", "target")):
        values = [0.0] * count
    else:
        spread = math.sqrt(2 / math.prod(shape[:-1])) if kind == "parameter" else 1
        values = [generator.gauss(0, spread) for _ in range(count)]
    return pack(dtype, values)


def input_flag(type_text, path):
    return f"--input={type_text}=@{path}"


def losses(module, arguments, results, options, directory):
    generator = random.Random(1)
    for i, (type_text, kind, name) in enumerate(arguments):
        with open(os.path.join(directory, f"{i}.bin"), "wb") as file:
            file.write(initial_value(type_text, kind, name, generator, options))
    places = {name: i for i, (_, _, name) in enumerate(arguments)}
    command = ["iree-run-module", "--device=local-sync"]
    command += [f"--module={module}", "--function=main"]
    for i, (type_text, _, _) in enumerate(arguments):
        command.append(input_flag(type_text, os.path.join(directory, f"{i}.bin")))
    # A step writes where the next one reads, once all has been read.
    for _, _, name in results:
        place = places.get(name, name)
        command.append(f"--output=@{os.path.join(directory, str(place))}.bin")
    curve = []
    for _ in range(options.steps):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(directory, "loss.bin"), "rb") as file:
            curve.append(file.read())
    return curve


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--classes", type=int, default=10)
    options = parser.parse_args()
    with open(options.program) as file:
        arguments, results = read_ports(file.read())
    curves = []
    for module in options.modules:
        with tempfile.TemporaryDirectory() as directory:
            curves.append(losses(module, arguments, results, options, directory))
    numbers = [struct.unpack("<f", loss)[0] for loss in curves[0]]
    print(f"loss {numbers[0]:.4f} -> {numbers[-1]:.4f} in {options.steps} steps")
    same = all(curve == curves[0] for curve in curves)
    print("loss curves are " + ("identical" if same else "different"))
    return 0 if same and numbers[-1] < 0.8 * numbers[0] else 1


if __name__ == "__main__":
    sys.exit(main())
