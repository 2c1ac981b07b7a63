#!/usr/bin/env python3
"""Checks that includes go the way the libraries link.

usage: check_layers.py [ROOT]

Reads the link graph from the CMakeLists.txt files and every #include "..." of
the C++ files below ROOT, by default the repository of this script. A directory
that defines targets is one layer, and so is each folder of lib/Solver; the
headers of include/remat/X belong to lib/X, those of include/remat/Solver to the
folder that lists them under HEADERS in lib/Solver/CMakeLists.txt. Prints every
violation of these rules and exits with 1 if there is one:

  - A file includes headers only of its own layer and of layers that this one
    links, directly or through others.
  - Layers do not link each other in a circle.
  - The solver includes nothing of MLIR or LLVM.
  - lib/Solver/Problem links nothing and lib/Solver/Proof only Problem: what
    verifies a proof shares no code with what searched for it. Neither do the
    tests of the latter.
  - tools/ and python-free-drivers/ neither link nor include each other.
"""

import os
import re
import sys

SOLVER = "lib/Solver"
# Everything that the checker of proofs may link.
TRUSTED = {
    SOLVER + "/Problem": set(),
    SOLVER + "/Proof": {SOLVER + "/Problem"},
    "test/unit/Solver/Proof": {SOLVER + "/Problem", SOLVER + "/Proof"},
}
PROGRAMS = ("tools", "python-free-drivers")
DIRECTORIES = ("include", "lib", "tools", "python-free-drivers", "test")
# Headers of MLIR and LLVM, of other packages, and those the build generates.
FOREIGN = ("mlir/", "mlir-c/", "llvm/", "llvm-c/")
PACKAGES = ("gtest/", "benchmark/", "nlohmann/", "CLI/")
GENERATED_SUFFIXES = (".inc",)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def cmake_commands(text):
    """The commands of a CMake file: pairs of name and list of arguments."""
    text = re.sub(r"#.*", "", text)
    for match in re.finditer(r"(\w+)\s*\(([^()]*)\)", text):
        yield match.group(1), re.findall(r'"[^"]*"|\S+', match.group(2))


def sections(arguments, keywords):
    """Splits arguments at keywords; those before the first belong to ''."""
    result = {"": []}
    current = ""
    for argument in arguments:
        if argument in keywords:
            current = argument
            result.setdefault(current, [])
        else:
            result[current].append(argument)
    return result


def names_in(arguments):
    """All words of arguments that may name targets, in expressions too."""
    return {word for text in arguments for word in re.findall(r"[\w-]+", text)}


class Tree:
    def __init__(self, root):
        self.root = root
        self.violations = []
        self.layer_of_target = {}
        # Targets that each target links.
        self.links = {}
        # The layer of each header of include/remat/Solver.
        self.solver_headers = {}
        self.files = []
        for directory in DIRECTORIES:
            for where, _, names in os.walk(os.path.join(root, directory)):
                below = os.path.relpath(where, root).replace(os.sep, "/")
                self.files += [below + "/" + name for name in names]
        self.files.sort()
        # What the programs of our own CMake functions link.
        self.function_links = {}
        scripts = [
            path
            for path in self.files
            if os.path.basename(path) == "CMakeLists.txt"
        ]
        for path in scripts:
            self.read_functions(path)
        for path in scripts:
            self.read_targets(path)
        self.layers = set(self.layer_of_target.values())
        self.sources = [
            path for path in self.files if path.endswith((".h", ".def", ".cpp"))
        ]
        # Headers by each end of their path: what include paths may find.
        self.headers = {}
        for path in self.sources:
            parts = path.split("/")
            for i in range(len(parts)):
                self.headers.setdefault("/".join(parts[i:]), []).append(path)
        # Headers that CMake configures count as present.
        self.generated = {
            os.path.basename(path)[: -len(".in")]
            for path in self.files
            if path.endswith(".h.in")
        }

    def report(self, text):
        self.violations.append(text)

    # The link graph.

    def commands(self, path):
        """The commands of a file, each with the function that it is part of."""
        function = None
        for command, arguments in cmake_commands(
            read(os.path.join(self.root, path))
        ):
            if command == "function":
                function = arguments[0]
            elif command == "endfunction":
                function = None
            elif arguments:
                yield function, command, arguments

    def read_functions(self, path):
        for function, command, arguments in self.commands(path):
            if function and command == "target_link_libraries":
                self.function_links.setdefault(function, set()).update(
                    names_in(arguments[1:])
                )

    def read_targets(self, path):
        layer = os.path.dirname(path)
        for function, command, arguments in self.commands(path):
            name = arguments[0]
            if function:
                continue
            if command == "remat_solver_library":
                self.add_solver_library(name, arguments[1:])
            elif command in ("add_library", "add_executable"):
                self.layer_of_target[name] = layer
            elif command == "target_link_libraries":
                self.links.setdefault(name, set()).update(
                    names_in(arguments[1:])
                )
            elif command.startswith("remat_"):
                # A function of ours that builds a program.
                lists = sections(arguments[1:], ("LIBRARIES", "SOURCES"))
                self.layer_of_target[name] = layer
                self.links.setdefault(name, set()).update(
                    names_in(lists.get("LIBRARIES", [])),
                    self.function_links.get(command, ()),
                )

    def add_solver_library(self, folder, arguments):
        lists = sections(arguments, ("HEADERS", "LIBRARIES", "SOURCES"))
        layer = SOLVER + "/" + folder
        target = "RematSolver" + folder
        self.layer_of_target[target] = layer
        self.links.setdefault(target, set()).update(
            "RematSolver" + library for library in lists.get("LIBRARIES", [])
        )
        for header in lists.get("HEADERS", []):
            self.solver_headers["include/remat/Solver/" + header] = layer

    def linked_targets(self, targets):
        """`targets` and all that they link, directly or not."""
        found, waiting = set(), list(targets)
        while waiting:
            target = waiting.pop()
            if target not in found and target in self.layer_of_target:
                found.add(target)
                waiting += self.links.get(target, ())
        return found

    def linked_layers(self, layer):
        """The layers that `layer` links, directly or not, besides itself."""
        own = [t for t, where in self.layer_of_target.items() if where == layer]
        layers = {self.layer_of_target[t] for t in self.linked_targets(own)}
        # A group of libraries is no code of its own.
        return layers - {layer, SOLVER}

    # The includes.

    def layer_of(self, path):
        if path.startswith("include/remat/Solver/"):
            return self.solver_headers.get(path)
        if path.startswith(SOLVER + "/"):
            return "/".join(path.split("/")[:3])
        if path.startswith("include/remat/"):
            return "lib/" + path.split("/")[2]
        where = os.path.dirname(path)
        while where and where not in self.layers:
            where = os.path.dirname(where)
        return where or None

    def resolve(self, path, include):
        """The files that `include` in the file `path` may mean."""
        sibling = os.path.normpath(os.path.join(os.path.dirname(path), include))
        for candidate in (sibling, "include/" + include, SOLVER + "/" + include):
            if candidate in self.headers:
                return [candidate]
        return self.headers.get(include, [])

    def check_file(self, path):
        layer = self.layer_of(path)
        if layer is None:
            self.report(path + ": belongs to no library")
            return
        for number, line in enumerate(
            read(os.path.join(self.root, path)).splitlines(), start=1
        ):
            match = re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line)
            if match:
                self.check_include(
                    path, layer, match.group(1), number, '"' in line
                )

    def check_include(self, path, layer, include, number, is_quoted):
        where = "%s:%d: " % (path, number)
        if include.startswith(FOREIGN):
            if layer.startswith(SOLVER + "/"):
                self.report(where + "the solver includes " + include)
            return
        if not is_quoted or include.endswith(GENERATED_SUFFIXES):
            return
        if include.startswith(PACKAGES):
            return
        candidates = self.resolve(path, include)
        if not candidates:
            if os.path.basename(include) not in self.generated:
                self.report(where + "no header " + include)
            return
        owners = {self.layer_of(candidate) for candidate in candidates}
        linked = self.linked_layers(layer) | {layer}
        if not owners & linked:
            names = " or ".join(sorted(str(owner) for owner in owners))
            self.report(
                "%s%s includes %s of %s, which it does not link"
                % (where, layer, include, names)
            )
        for owner in owners:
            self.check_programs(where, layer, owner)

    # The rules about layers as a whole.

    def check_programs(self, where, layer, other):
        """Tools and drivers stay apart."""
        ends = {str(end).split("/")[0] for end in (layer, other)}
        if ends == set(PROGRAMS):
            self.report("%s%s uses %s" % (where, layer, other))

    def check_layers(self):
        for layer in sorted(self.layers):
            linked = self.linked_layers(layer)
            for other in sorted(linked):
                self.check_programs("", layer, other)
                if layer < other and layer in self.linked_layers(other):
                    self.report("%s and %s link each other" % (layer, other))
            extra = linked - TRUSTED.get(layer, linked)
            if extra:
                self.report("%s links %s" % (layer, ", ".join(sorted(extra))))
        for layer in sorted(set(TRUSTED) - self.layers):
            if os.path.isdir(os.path.join(self.root, layer.split("/")[0])):
                self.report("there is no library " + layer)

    def check(self):
        self.check_layers()
        for path in self.sources:
            self.check_file(path)
        for header in sorted(set(self.solver_headers) - set(self.sources)):
            self.report(header + " is listed but does not exist")
        return self.violations


def main():
    if len(sys.argv) > 2 or sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__)
        return 2
    here = os.path.dirname(os.path.abspath(__file__))
    root = sys.argv[1] if len(sys.argv) == 2 else os.path.dirname(here)
    tree = Tree(root)
    violations = tree.check()
    for violation in violations:
        print(violation)
    print(
        "%d files, %d layers, %d violations"
        % (len(tree.sources), len(tree.layers), len(violations))
    )
    return 1 if violations or not tree.sources else 0


if __name__ == "__main__":
    sys.exit(main())
