# How lit runs the tests below this directory. Each .mlir or .test file is one
# test: the commands of its RUN lines, looked up in the build tree first.

import os
import shutil
import subprocess

import lit.formats
import lit.util

config.name = "Remat"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.remat_test_binary_dir

# Not tests: inputs of tests, models that tests name, and the C++ tests, which
# are programs of their own.
config.excludes = ["Inputs", "Models", "bench", "data", "lib", "unit"]

# Programs: ours, then IREE's, then those of the MLIR that the plugin is built
# for. A program that was not built is "command not found", not another one of
# the same name further down PATH: nothing else there is called so.
iree_bin = os.path.join(config.remat_iree_dir, "bin")
config.environment["PATH"] = os.pathsep.join(
    [config.remat_tools_dir, iree_bin, config.llvm_tools_dir, os.environ["PATH"]]
)
# What the CUDA driver needs in order to be found and to honour the user's
# choice of device.
for variable in ("LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

# A check that is never reached, because of a misspelt prefix or a variable left
# over from another function, is an error.
config.environment["FILECHECK_OPTS"] = (
    "--enable-var-scope --allow-unused-prefixes=false"
)

config.substitutions.append(("%plugin", config.remat_plugin))
for name, path in (
    ("%models", "Models"),
    ("%make_inputs", "make_inputs.py"),
    ("%run_pair", "run_pair.py"),
    ("%check_layers", "check_layers.py"),
    ("%check_slab", "check_slab.py"),
    ("%check_page", "check_page.py"),
    ("%check_quoted", "check_quoted.py"),
    ("%docs", "../docs"),
    ("%check_report", "check_report.py"),
    ("%interrupt_sweep", "interrupt_sweep.py"),
):
    config.substitutions.append((name, os.path.join(config.test_source_root, path)))

config.substitutions.append(("%version", config.remat_version))
config.substitutions.append(("%generated-docs", config.remat_generated_docs_dir))

# For programs that are run by mlir-runner: from tensors down to LLVM, and the
# library that prints.
config.substitutions.append(
    (
        "%lower-to-llvm",
        "func.func(convert-elementwise-to-linalg),"
        "one-shot-bufferize{bufferize-function-boundaries},"
        "func.func(convert-linalg-to-loops),expand-strided-metadata,"
        "lower-affine,convert-scf-to-cf,func.func(convert-math-to-llvm),"
        "convert-vector-to-llvm,finalize-memref-to-llvm,convert-arith-to-llvm,"
        "convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts",
    )
)
config.substitutions.append(
    (
        "%c-runner-utils",
        os.path.join(config.llvm_tools_dir, "..", "lib", "libmlir_c_runner_utils.so"),
    )
)


def has_cuda_device():
    """Whether the CUDA driver is installed and lists a device."""
    if shutil.which("nvidia-smi") is None:
        return False
    listing = subprocess.run(
        ["nvidia-smi", "-L"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    return listing.returncode == 0 and b"GPU" in listing.stdout


def has_private_mounts():
    """Whether a test may mount a small disk that nobody else sees."""
    if shutil.which("unshare") is None:
        return False
    trial = subprocess.run(
        ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
        stderr=subprocess.DEVNULL,
    )
    return trial.returncode == 0


# Features, for REQUIRES lines:
#   iree         remat-opt and remat-compile are built, IREE's programs there
#   plugin       RematPlugin.so is built
#   benchmarks   remat-bench is built
#   passes       either of them, and so the documentation of the passes
#   cuda-device  a GPU can be used
#   chromium     pages can be tested in a browser
#   private-mounts  a test can mount a small private disk
#   slow-tests   all tests were requested, not only the quick ones
if config.remat_build_drivers:
    config.available_features.add("iree")
if config.remat_build_benchmarks:
    config.available_features.add("benchmarks")
if config.remat_build_plugin:
    config.available_features.add("plugin")
if config.remat_build_drivers or config.remat_build_plugin:
    config.available_features.add("passes")
if shutil.which("chromium"):
    config.available_features.add("chromium")
if has_private_mounts():
    config.available_features.add("private-mounts")
if has_cuda_device():
    config.available_features.add("cuda-device")
if lit_config.params.get("quick", "0") == "1":
    config.excludes.append("Execution")
else:
    config.available_features.add("slow-tests")

# No test may hang the suite. lit can stop tests only with psutil installed.
if lit.util.killProcessAndChildrenIsSupported()[0]:
    lit_config.maxIndividualTestTime = 900
