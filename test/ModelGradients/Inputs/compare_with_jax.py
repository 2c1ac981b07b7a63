"""Compares a training step written by remat-gen with JAX.

    compare_with_jax.py MODEL.mlir MODEL.vmfb [--runner=iree-run-module]

MODEL.mlir was written with --optimizer=none, so its results are gradients.
The model is written here a second time, with JAX's own layers; parameters are
found by name. Prints the largest relative error norm over all gradients, and
fails if that or the error of the loss is above 1e-4.
"""

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

# The reference runs once: most of its time is XLA's compiler.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")

import jax
import jax.numpy as jnp
import numpy as np

# The argument that dropout masks depend on.
SEED = 20261
DIMENSIONS = {"nhwc": ("NHWC", "HWIO", "NHWC"), "nchw": ("NCHW", "OIHW", "NCHW")}


def read_header(text):
    """The settings in the header, and the names and types of the ports."""
    model = re.search(r"Training step of (\w+)", text).group(1)
    header = " ".join(
        line[3:] for line in text.split("\n") if line.startswith("// ")
    )
    settings = {}
    for part in header.split(":", 1)[1].replace(".  ", ",").split(","):
        words = part.strip().split()
        if len(words) == 2:
            settings[words[0]] = words[1]
    settings["layout"] = "nchw" if "nchw" in header else "nhwc"
    head, body = text[text.index("@main(") :].split(") -> (", 1)
    port = r'tensor<([^>]*)> \{remat.kind = "([^"]*)", remat.name = "([^"]*)"\}'
    arguments = re.findall(port, head)
    results = re.findall(port, body[: body.index(") {")])
    return model, settings, arguments, results


def random_arguments(model, arguments, generator, settings):
    values = {}
    for type_text, kind, name in arguments:
        *shape, dtype = type_text.split("x")
        shape = [int(extent) for extent in shape]
        if dtype == "i32":
            high = int(
                settings.get("classes", settings.get("vocabulary", 2**31 - 1))
            )
            if name == "seed":
                values[name] = np.int32(SEED)
                continue
            values[name] = generator.integers(0, high, shape).astype(np.int32)
            continue
        value = generator.normal(size=shape)
        if name.endswith(".weight") and not name.startswith("embedding"):
            inputs = math.prod(shape[:-1])
            if settings["layout"] == "nchw" and len(shape) == 4:
                inputs = math.prod(shape[1:])
            if name.startswith("expand"):  # Transposed convolution: input first.
                inputs = shape[0]
            value *= math.sqrt(1.5 / inputs)
        elif name.endswith(".scale"):
            value = 1 + 0.2 * value
            if model.startswith("resnet") and re.search(r"\.norm[23]\.", name):
                # Residuals that are small next to what they are added to: otherwise
                # fifty layers amplify rounding beyond comparison.
                value *= 0.2
        elif name.endswith(".shift") and model == "inceptionv4":
            # Most ReLUs pass. A deep net without residuals whose ReLUs pass
            # half of everything amplifies rounding beyond comparison.
            value = 1.5 + 0.2 * value
        elif kind == "parameter":
            value *= 0.2
        values[name] = value.astype(np.float32)
    return values


class Layers:
    """The layers that the models below are made of."""

    def __init__(self, parameters, settings):
        self.p = parameters
        self.layout = settings["layout"]
        self.channel = 3 if self.layout == "nhwc" else 1
        self.space = (1, 2) if self.layout == "nhwc" else (2, 3)
        self.rate = float(settings.get("dropout", 0))
        self.dropouts = 0

    def dense(self, path, x):
        return x @ self.p[path + ".weight"] + self.p[path + ".bias"]

    def conv(self, path, x, stride=1, padding="SAME", bias=False):
        y = jax.lax.conv_general_dilated(
            x,
            self.p[path + ".weight"],
            (stride, stride),
            padding,
            dimension_numbers=DIMENSIONS[self.layout],
        )
        if bias:
            y = y + self.along_channels(self.p[path + ".bias"])
        return y

    def along_channels(self, v):
        return v if self.channel == 3 else v[:, None, None]

    def batch_norm(self, path, x):
        axes = tuple(i for i in range(4) if i != self.channel)
        mean = x.mean(axes, keepdims=True)
        variance = x.var(axes, keepdims=True)
        normal = (x - mean) / jnp.sqrt(variance + 1e-5)
        return normal * self.along_channels(
            self.p[path + ".scale"]
        ) + self.along_channels(self.p[path + ".shift"])

    def layer_norm(self, path, x):
        mean = x.mean(-1, keepdims=True)
        normal = (x - mean) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)
        return normal * self.p[path + ".scale"] + self.p[path + ".shift"]

    def window(self, size, stride, pad):
        sizes, strides, pads = [1] * 4, [1] * 4, [(0, 0)] * 4
        for i in self.space:
            sizes[i], strides[i], pads[i] = size, stride, (pad, pad)
        return sizes, strides, pads

    def max_pool(self, x, size, stride, pad=0):
        return jax.lax.reduce_window(
            x, -jnp.inf, jax.lax.max, *self.window(size, stride, pad)
        )

    def average_pool(self, x):
        window = self.window(3, 1, 1)
        total = jax.lax.reduce_window(x, 0.0, jax.lax.add, *window)
        # How many of the three positions of a window lie in the image, by row and
        # by column.
        count = np.ones([1] * 4)
        for i in self.space:
            place = np.arange(x.shape[i])
            inside = np.minimum(place + 2, x.shape[i]) - np.maximum(place - 1, 0)
            count = count * inside.reshape([-1 if k == i else 1 for k in range(4)])
        return total / count.astype(x.dtype)

    def dropout(self, x):
        """The documented hash of seed, layer and place."""
        if self.rate == 0:
            return x
        mask32 = 0xFFFFFFFF
        salt = (0x9E3779B9 + 0x85EBCA6B * self.dropouts) & mask32
        self.dropouts += 1
        key = SEED ^ salt
        key = ((key ^ (key >> 15)) * 0x2C1B3C6D) & mask32
        word = np.arange(x.size, dtype=np.uint64)
        word = (word + key) & mask32
        word = ((word ^ (word >> 16)) * 0x7FEB352D) & mask32
        word = ((word ^ (word >> 15)) * 0x846CA68B) & mask32
        word ^= word >> 16
        keep = (word >> 8) >= round(self.rate * 2**24)
        return jnp.where(keep.reshape(x.shape), x / (1 - self.rate), 0)


def cross_entropy(logits, labels):
    chances = jax.nn.log_softmax(logits, -1)
    return -jnp.take_along_axis(chances, labels[..., None], -1).mean()


def mlp(net, data, settings):
    x = data["input"]
    for i in range(int(settings["layers"])):
        x = jax.nn.relu(net.dense(f"layer{i}", x))
    return ((x - data["target"]) ** 2).mean()


def transformer(net, data, settings):
    tokens = data["tokens"]
    heads = int(settings["heads"])
    x = net.p["embedding.weight"][tokens] + net.p["embedding.positions"]
    x = net.dropout(x)
    batch, sequence, width = x.shape
    for i in range(int(settings["layers"])):
        path = f"layer{i}"
        a = net.layer_norm(path + ".norm1", x)
        q, k, v = (
            net.dense(f"{path}.attention.{part}", a).reshape(
                batch, sequence, heads, width // heads
            )
            for part in ("query", "key", "value")
        )
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(width // heads)
        if settings["causal"] == "yes":
            seen = np.tril(np.ones((sequence, sequence), bool))
            scores = jnp.where(seen, scores, -jnp.inf)
        weights = net.dropout(jax.nn.softmax(scores, -1))
        context = jnp.einsum("bhqk,bkhd->bqhd", weights, v)
        context = context.reshape(batch, sequence, width)
        x = x + net.dropout(net.dense(path + ".attention.output", context))
        m = net.layer_norm(path + ".norm2", x)
        m = jax.nn.gelu(net.dense(path + ".mlp.expand", m), approximate=True)
        m = net.dropout(m)
        x = x + net.dropout(net.dense(path + ".mlp.contract", m))
    x = net.layer_norm("norm", x)
    if settings["head"] == "pooled":
        x = x.mean(1)
    return cross_entropy(net.dense("head", x), data["labels"])


def resnet(net, data, settings, depth):
    blocks = {
        18: (2, 2, 2, 2),
        34: (3, 4, 6, 3),
        50: (3, 4, 6, 3),
        101: (3, 4, 23, 3),
        152: (3, 8, 36, 3),
        200: (3, 24, 36, 3),
    }[depth]

    def conv_norm(prefix, suffix, x, size, stride=1):
        pad = [(size // 2, size // 2)] * 2
        x = net.conv(f"{prefix}conv{suffix}", x, stride, pad)
        return net.batch_norm(f"{prefix}norm{suffix}", x)

    relu = jax.nn.relu
    x = relu(conv_norm("", "1", data["input"], 7, 2))
    x = net.max_pool(x, 3, 2, 1)
    for stage, count in enumerate(blocks):
        for i in range(count):
            path = f"layer{stage + 1}.{i}."
            stride = 2 if stage > 0 and i == 0 else 1
            if depth >= 50:
                y = relu(conv_norm(path, "1", x, 1))
                y = relu(conv_norm(path, "2", y, 3, stride))
                y = conv_norm(path, "3", y, 1)
            else:
                y = relu(conv_norm(path, "1", x, 3, stride))
                y = conv_norm(path, "2", y, 3)
            if path + "downsample.conv.weight" in net.p:
                x = conv_norm(path + "downsample.", "", x, 1, stride)
            x = relu(x + y)
    return cross_entropy(net.dense("dense", x.mean(net.space)), data["labels"])


def vgg16(net, data, settings):
    x = data["input"]
    for stage, count in enumerate((2, 2, 3, 3, 3)):
        for i in range(count):
            path = f"conv{stage + 1}_{i + 1}"
            x = jax.nn.relu(net.conv(path, x, bias=True))
        x = net.max_pool(x, 2, 2)
    x = x.reshape(x.shape[0], -1)
    for path in ("dense1", "dense2"):
        x = net.dropout(jax.nn.relu(net.dense(path, x)))
    return cross_entropy(net.dense("dense3", x), data["labels"])


def cnn(net, data, settings):
    x = data["input"]
    for i in range(int(settings["layers"])):
        x = jax.nn.relu(net.conv(f"conv{i + 1}", x, bias=True))
    return cross_entropy(net.dense("dense", x.mean(net.space)), data["labels"])


def unet(net, data, settings):
    def double_conv(path, x):
        for part in (".conv1", ".conv2"):
            x = jax.nn.relu(net.conv(path + part, x, bias=True))
        return x

    def expand(path, x):
        weight, bias = net.p[path + ".weight"], net.p[path + ".bias"]
        if net.layout == "nhwc":
            y = jnp.einsum("bhwc,cijo->bhiwjo", x, weight)
            b, h, _, w, _, o = y.shape
            return y.reshape(b, 2 * h, 2 * w, o) + bias
        y = jnp.einsum("bchw,cijo->bohiwj", x, weight)
        b, o, h, _, w, _ = y.shape
        return y.reshape(b, o, 2 * h, 2 * w) + bias[:, None, None]

    x, skips, levels = data["input"], [], int(settings["layers"])
    for level in range(levels):
        x = double_conv(f"down{level + 1}", x)
        skips.append(x)
        x = net.max_pool(x, 2, 2)
    x = double_conv("bottom", x)
    for level in reversed(range(levels)):
        up = expand(f"expand{level + 1}", x)
        x = jnp.concatenate([skips[level], up], net.channel)
        x = double_conv(f"up{level + 1}", x)
    x = net.conv("classes", x, bias=True)
    if net.layout == "nchw":
        x = x.transpose(0, 2, 3, 1)
    return cross_entropy(x, data["labels"])


def inceptionv4(net, data, settings):
    def conv(path, x, stride=1, padding="SAME"):
        x = net.conv(path, x, stride, padding)
        return jax.nn.relu(net.batch_norm(path, x))

    def branch(path, x, count, last=(1, "SAME")):
        for i in range(count):
            kind = last if i == count - 1 else (1, "SAME")
            x = conv(f"{path}.conv{i + 1}", x, *kind)
        return x

    def concat(*images):
        return jnp.concatenate(images, net.channel)

    def pool_branch(path, x):
        return branch(path + ".branch_pool", net.average_pool(x), 1)

    halve = (2, "VALID")
    x = conv("stem.conv1", data["input"], *halve)
    x = conv("stem.conv2", x, 1, "VALID")
    x = conv("stem.conv3", x)
    x = concat(net.max_pool(x, 3, 2), conv("stem.conv4", x, *halve))
    x = concat(
        branch("stem.branch1", x, 2, (1, "VALID")),
        branch("stem.branch2", x, 4, (1, "VALID")),
    )
    x = concat(conv("stem.conv5", x, *halve), net.max_pool(x, 3, 2))
    for i in range(4):
        path = f"a{i + 1}"
        x = concat(
            branch(path + ".branch1", x, 1),
            branch(path + ".branch2", x, 2),
            branch(path + ".branch3", x, 3),
            pool_branch(path, x),
        )
    x = concat(
        branch("reduction_a1.branch1", x, 1, halve),
        branch("reduction_a1.branch2", x, 3, halve),
        net.max_pool(x, 3, 2),
    )
    for i in range(7):
        path = f"b{i + 1}"
        x = concat(
            branch(path + ".branch1", x, 1),
            branch(path + ".branch2", x, 3),
            branch(path + ".branch3", x, 5),
            pool_branch(path, x),
        )
    x = concat(
        branch("reduction_b1.branch1", x, 2, halve),
        branch("reduction_b1.branch2", x, 4, halve),
        net.max_pool(x, 3, 2),
    )
    for i in range(3):
        path = f"c{i + 1}"
        second = branch(path + ".branch2", x, 1)
        third = branch(path + ".branch3", x, 3)
        x = concat(
            branch(path + ".branch1", x, 1),
            conv(path + ".branch2a", second),
            conv(path + ".branch2b", second),
            conv(path + ".branch3a", third),
            conv(path + ".branch3b", third),
            pool_branch(path, x),
        )
    x = net.dropout(x.mean(net.space))
    return cross_entropy(net.dense("dense", x), data["labels"])


def model_function(name):
    if name.startswith("resnet"):
        depth = int(name[len("resnet") :])
        return lambda *arguments: resnet(*arguments, depth)
    return globals()[name]


def run(arguments, values, results, options):
    """The results of the compiled module, by name."""
    with tempfile.TemporaryDirectory() as directory:
        command = [
            options.runner,
            "--device=local-sync",
            "--module=" + options.module,
            "--function=main",
        ]
        for i, (_, _, name) in enumerate(arguments):
            path = os.path.join(directory, f"in{i}.npy")
            np.save(path, values[name])
            command.append("--input=@" + path)
        for i in range(len(results)):
            path = os.path.join(directory, f"out{i}.npy")
            command.append("--output=@" + path)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return {
            name: np.load(os.path.join(directory, f"out{i}.npy"))
            for i, (_, _, name) in enumerate(results)
        }


def largest_error(ours, theirs):
    """The largest relative error norm of any gradient, and its name."""
    worst, worst_name = 0.0, ""
    largest = max(np.linalg.norm(g) for g in theirs.values())
    for name, gradient in theirs.items():
        norm = np.linalg.norm(gradient)
        if name.endswith(".attention.key.bias"):
            # It adds the same to all scores of a row, which softmax ignores:
            # the gradient is zero except for rounding, and has no direction.
            norm = largest
        error = np.linalg.norm(ours[name] - gradient) / norm
        if error > worst:
            worst, worst_name = error, name
    return worst, worst_name


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("module")
    parser.add_argument("--runner", default="iree-run-module")
    options = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    with open(options.program) as file:
        model, settings, arguments, results = read_header(file.read())
    kinds = {name: kind for _, kind, name in arguments}

    def loss(parameters, data):
        net = Layers(parameters, settings)
        return model_function(model)(net, data, settings)

    differentiate = jax.jit(jax.value_and_grad(loss))

    # Double precision, so that the errors found are those of the program.
    def reference(values, noise):
        values = {
            name: value * (1 + noise * generator.normal(size=value.shape))
            if value.dtype == np.float32
            else value
            for name, value in values.items()
        }
        parameters = {n: v for n, v in values.items() if kinds[n] == "parameter"}
        data = {n: v for n, v in values.items() if kinds[n] == "input"}
        return differentiate(parameters, data)

    # Near the kink of a ReLU or a tie in a pool, rounding changes gradients a lot
    # in any implementation. Arguments are good if changes of the size of f32's
    # rounding change no gradient by much.
    for seed in range(1, 40):
        generator = np.random.default_rng(seed)
        values = random_arguments(model, arguments, generator, settings)
        theirs, gradients = reference(values, 0)
        sensitivity, _ = largest_error(reference(values, 2**-23)[1], gradients)
        if sensitivity <= 2e-5:
            break
    else:
        sys.exit("compare_with_jax: error: no arguments far from kinks found")
    ours = run(arguments, values, results, options)
    worst, worst_name = largest_error(ours, gradients)
    loss_error = abs(float(ours["loss"]) - float(theirs)) / abs(float(theirs))
    print(
        f"{model}: loss {float(ours['loss']):.6f}, relative error "
        f"{loss_error:.1e}; {len(gradients)} gradients, largest relative "
        f"error norm {worst:.1e} ({worst_name}); by rounding of arguments {sensitivity:.1e}"
    )
    return 0 if worst <= 1e-4 and loss_error <= 1e-4 else 1


if __name__ == "__main__":
    sys.exit(main())
