"""Training steps of JAX with and without donated state, through remat-compile.

    jax_steps.py DIRECTORY

For each optimizer the step of a small dense network is exported twice, with
donate_argnums and without. Both are compiled, the donated one also within 70 %
of its memory. All three modules train for 30 steps on IREE, each result fed
back as the next argument. Fails unless all their results are bit-identical and
those of JAX within 1e-3.
"""

import json
import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np

LAYERS, WIDTH, BATCH, STEPS = 6, 32, 64, 30


def forward(weights, x):
    for w, b in weights[:-1]:
        x = jax.nn.gelu(x @ w + b)
    w, b = weights[-1]
    return x @ w + b


def loss(weights, x, y):
    return jnp.mean((forward(weights, x) - y) ** 2)


def sgd(weights, states, x, y):
    value, gradients = jax.value_and_grad(loss)(weights, x, y)
    return jax.tree.map(lambda w, g: w - 0.1 * g, weights, gradients), states, value


def momentum(weights, states, x, y):
    value, gradients = jax.value_and_grad(loss)(weights, x, y)
    states = jax.tree.map(lambda v, g: 0.9 * v + g, states, gradients)
    return jax.tree.map(lambda w, v: w - 0.02 * v, weights, states), states, value


def adam(weights, states, x, y):
    first, second, step = states
    value, gradients = jax.value_and_grad(loss)(weights, x, y)
    step = step + 1
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
    weights = jax.tree.map(
        lambda w, m, v: w
        - 1e-3 * (m / (1 - 0.9**step)) / (jnp.sqrt(v / (1 - 0.999**step)) + 1e-6),
        weights,
        first,
        second,
    )
    return weights, (first, second, step), value


def initial(name):
    generator = np.random.default_rng(0)
    weights = [
        (
            generator.standard_normal((WIDTH, WIDTH)).astype(np.float32) / WIDTH**0.5,
            np.zeros(WIDTH, np.float32),
        )
        for _ in range(LAYERS)
    ]
    zeros = jax.tree.map(np.zeros_like, weights)
    states = {"sgd": (), "momentum": zeros, "adam": (zeros, zeros, np.float32(0))}
    samples = [generator.standard_normal((BATCH, WIDTH)) for _ in range(2)]
    x, y = [sample.astype(np.float32) for sample in samples]
    return weights, states[name], x, y


def compile_module(path, module, *flags):
    report = module + ".json"
    command = ["remat-compile", path, "-o", module, f"--report={report}", *flags]
    process = subprocess.run(command, capture_output=True, text=True)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{process.stderr}")
    with open(report) as file:
        return json.load(file)


def train(module, directory, arguments, num_fed_back):
    """The results of the last step, with all that was fed back."""
    paths = [os.path.join(directory, f"{i}.npy") for i in range(len(arguments))]
    for path, value in zip(paths, arguments):
        np.save(path, value)
    value_path = os.path.join(directory, "loss.npy")
    command = ["iree-run-module", f"--module={module}", "--device=local-sync"]
    command += ["--function=main", *[f"--input=@{path}" for path in paths]]
    command += [f"--output=@{path}" for path in paths[:num_fed_back] + [value_path]]
    for _ in range(STEPS):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return [np.load(path) for path in paths[:num_fed_back] + [value_path]]


def compare(step, directory):
    name = step.__name__
    weights, states, x, y = initial(name)
    for donated in (False, True):
        lowered = jax.jit(step, donate_argnums=(0, 1) if donated else ())
        with open(os.path.join(directory, f"{name}{int(donated)}.mlir"), "w") as file:
            file.write(lowered.lower(weights, states, x, y).as_text())
    paths = [os.path.join(directory, f"{name}{i}") for i in range(2)]
    compile_module(paths[0] + ".mlir", paths[0] + ".vmfb")
    report = compile_module(paths[1] + ".mlir", paths[1] + ".vmfb")
    capped = compile_module(
        paths[1] + ".mlir", paths[1] + "c.vmfb", "--memory-cap=70%"
    )
    if not capped["recomputed_steps"] or not report["donated_bytes"]:
        sys.exit(f"{name}: nothing was recomputed or donated")
    state = jax.tree.leaves((weights, states))
    arguments = state + [x, y]
    results = [
        train(module, directory, arguments, len(state))
        for module in (paths[0] + ".vmfb", paths[1] + ".vmfb", paths[1] + "c.vmfb")
    ]
    for other in results[1:]:
        for ours, expected in zip(other, results[0]):
            if ours.tobytes() != expected.tobytes():
                sys.exit(f"{name}: results differ from those of the undonated step")
    run = jax.jit(step)
    for _ in range(STEPS):
        weights, states, value = run(weights, states, x, y)
    error = 0
    for ours, expected in zip(results[0], jax.tree.leaves((weights, states)) + [value]):
        expected = np.asarray(expected)
        error = max(error, np.abs(ours - expected).max() / (1e-6 + np.abs(expected).max()))
    if error > 1e-3:
        sys.exit(f"{name}: error of {error} against JAX")
    print(
        f"{name}: late reads {report['late_reads']}, copies {report['copies']}, "
        f"{STEPS} steps identical to undonated, largest error against JAX {error:.1e}"
    )


for step in (sgd, momentum, adam):
    compare(step, sys.argv[1])
