#!/usr/bin/env python3
"""Makes a problem file of a ResNet training step as JAX exports it.

  make_resnet_graph.py --jax=build/jax/python --compiler=build/bin/remat-compile \\
      --depth=152 --batch=8 -o test/data/graphs/rn152_b8_nhwc_cv.problem.txt

The step is that of a bottleneck ResNet in training (NHWC, batch statistics,
plain SGD, images of 224 x 224), differentiated by JAX. IREE schedules it; the
largest region becomes the problem. Costs are those of the other graphs: what a
kernel takes at 20 GB/s or 50 GFLOP/s, whichever is more, in nanoseconds.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BYTES_PER_NS = 20
FLOPS_PER_NS = 50
STAGES = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}


def export_step(depth, batch):
    """Prints the training step as StableHLO; runs in a Python that has JAX."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    shapes = []

    def parameter(*shape):
        shapes.append(jax.ShapeDtypeStruct(shape, jnp.float32))
        return len(shapes) - 1

    def convolution(size, inputs, outputs):
        """The places of a kernel, and of the scale and shift after it."""
        return (
            parameter(size, size, inputs, outputs),
            parameter(outputs),
            parameter(outputs),
        )

    def apply(values, x, layer, stride=1):
        kernel, scale, shift = (values[place] for place in layer)
        x = lax.conv_general_dilated(
            x,
            kernel,
            (stride, stride),
            "SAME",
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
        )
        centred = x - jnp.mean(x, (0, 1, 2))
        variance = jnp.mean(centred * centred, (0, 1, 2))
        return centred * lax.rsqrt(variance + 1e-5) * scale + shift

    # The gradient of JAX's own takes a select-and-scatter, which IREE refuses.
    @jax.custom_vjp
    def pool(x):
        return lax.reduce_window(
            x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"
        )

    def pool_forward(x):
        y = pool(x)
        return y, (x, y)

    def pool_backward(saved, gradient):
        x, y = saved
        height, width = x.shape[1:3]
        padded = jnp.pad(
            x, ((0, 0), (0, 1), (0, 1), (0, 0)), constant_values=-jnp.inf
        )
        total = jnp.zeros_like(padded)
        for i in range(3):
            for j in range(3):
                window = padded[:, i : i + height - 1 : 2, j : j + width - 1 : 2]
                part = jnp.where(window == y, gradient, 0)
                total += lax.pad(
                    part,
                    0.0,
                    ((0, 0, 0), (i, 2 - i, 1), (j, 2 - j, 1), (0, 0, 0)),
                )
        return (total[:, :height, :width],)

    pool.defvjp(pool_forward, pool_backward)

    stem = convolution(7, 3, 64)
    blocks = []
    channels = 64
    for stage, number in enumerate(STAGES[depth]):
        width = 64 * 2**stage
        for i in range(number):
            blocks.append(
                (
                    convolution(1, channels, width),
                    convolution(3, width, width),
                    convolution(1, width, 4 * width),
                    convolution(1, channels, 4 * width) if i == 0 else None,
                    2 if i == 0 and stage > 0 else 1,
                )
            )
            channels = 4 * width
    weight, bias = parameter(channels, 1000), parameter(1000)

    def loss(values, x, labels):
        x = pool(jax.nn.relu(apply(values, x, stem, 2)))
        for first, second, third, shortcut, stride in blocks:
            rest = x
            if shortcut is not None:
                rest = apply(values, x, shortcut, stride)
            h = jax.nn.relu(apply(values, x, first))
            h = jax.nn.relu(apply(values, h, second, stride))
            x = jax.nn.relu(apply(values, h, third) + rest)
        logits = jnp.mean(x, (1, 2)) @ values[weight] + values[bias]
        chosen = jnp.take_along_axis(logits, labels[:, None], 1)[:, 0]
        return jnp.mean(jax.nn.logsumexp(logits, 1) - chosen)

    def step(values, x, labels):
        value, gradients = jax.value_and_grad(loss)(values, x, labels)
        return value, [v - 0.1 * g for v, g in zip(values, gradients)]

    images = jax.ShapeDtypeStruct((batch, 224, 224, 3), jnp.float32)
    labels = jax.ShapeDtypeStruct((batch,), jnp.int32)
    print(jax.jit(step).lower(shapes, images, labels).as_text())


def with_roofline_costs(text):
    """Replaces the costs in a problem by those of the roofline."""
    tensor_bytes = {}
    lines = []
    for line in text.splitlines():
        if match := re.match(r"tensor (\d+) bytes=(\d+)", line):
            tensor_bytes[match[1]] = int(match[2])
        elif line.startswith("step "):
            moved = 0
            for key in ("in", "out"):
                match = re.search(rf" {key}=(\S+)", line)
                for tensor in match[1].split(",") if match else []:
                    moved += tensor_bytes[tensor]
            flops = 0
            if match := re.search(
                r'name="\S*_(?:conv|matmul(?:_like)?)_((?:\d+x)+\d+)_', line
            ):
                flops = 2
                for extent in match[1].split("x"):
                    flops *= int(extent)
            cost = int(max(moved / BYTES_PER_NS, flops / FLOPS_PER_NS))
            line = re.sub(r" cost=\d+", f" cost={cost}", line, count=1)
        lines.append(line)
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jax", default=sys.executable, help="a Python with JAX")
    parser.add_argument("--compiler", default="remat-compile")
    parser.add_argument("--depth", type=int, choices=STAGES, default=152)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--export", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.export:
        export_step(args.depth, args.batch)
        return
    if not args.output:
        parser.error("-o is needed")
    sizes = [f"--depth={args.depth}", f"--batch={args.batch}"]
    with tempfile.TemporaryDirectory() as directory:
        model = Path(directory) / "step.mlir"
        trace = Path(directory) / "trace.json"
        with model.open("w") as file:
            subprocess.run(
                [args.jax, __file__, "--export", *sizes], stdout=file, check=True
            )
        subprocess.run(
            [args.compiler, model, "--no-remat", "--plan-only", f"--trace={trace}"],
            check=True,
        )
        regions = json.loads(trace.read_text())["regions"]
    text = max((region["problem"] for region in regions), key=len)
    first, rest = with_roofline_costs(text).split("\n", 1)
    note = (
        f"# made by test/bench/make_resnet_graph.py {' '.join(sizes)}\n"
        "# inputs and outputs count 0 bytes: caps in % refer to the transients\n"
    )
    args.output.write_text(f"{first}\n{note}{rest}")


if __name__ == "__main__":
    main()
