#!/usr/bin/env bash
# Obtains the pinned IREE release and unpacks its native parts:
#
#   third_party/fetch-iree.sh DIR
#
#   DIR/bin   iree-compile, iree-opt, iree-run-module, iree-profile, ...
#   DIR/lib   libIREECompiler.so and the programs it looks for beside itself
#   DIR/stamp what was unpacked; if it is up to date, nothing happens
#
# The packages are downloaded by name with pip, which refuses files whose
# SHA-256 differs from iree-requirements.txt. Nothing is installed. DIR appears
# whole or not at all: everything is unpacked beside it and then renamed.
set -euo pipefail

fail() {
  echo "fetch-iree: error: $*" >&2
  exit 1
}

if [[ $# -ne 1 || $1 == -* ]]; then
  echo "usage: fetch-iree.sh DIR" >&2
  exit 2
fi

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
requirements=$here/iree-requirements.txt
mkdir -p "$(dirname "$1")"
dest=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")

# A change of the pins or of the way they are unpacked makes a new stamp.
stamp=$(cat "$requirements" "${BASH_SOURCE[0]}" | sha256sum | cut -d' ' -f1)
if [[ -f $dest/stamp && $(<"$dest/stamp") == "$stamp" ]]; then
  echo "IREE is up to date in $dest"
  exit 0
fi

[[ $(uname -sm) == "Linux x86_64" ]] ||
  fail "the pinned packages are for Linux on x86_64, this is $(uname -sm)"

# The python3 of PATH may come without pip while Debian's has it.
python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -m pip --version >/dev/null 2>&1; then
    python=$candidate
    break
  fi
done
[[ -n $python ]] ||
  fail "no python3 with pip; on Debian, install the package python3-pip"

work=$(mktemp -d "$dest.part.XXXXXX")
trap 'rm -rf "$work"' EXIT

echo "downloading IREE's compiler and runtime packages (about 100 MB):"
grep -o '^iree-[^ ]*' "$requirements" | sed 's/^/  /'
# The cache is off so that nothing outside of DIR is written.
"$python" -m pip download --quiet --disable-pip-version-check --no-cache-dir \
  --no-deps --only-binary=:all: --python-version 3.11 --implementation cp \
  --abi cp311 --platform manylinux_2_28_x86_64 --require-hashes \
  --requirement "$requirements" --dest "$work/wheels" </dev/null ||
  fail "pip could not obtain the packages; its message above says whether the" \
    "network, the package index or a hash is at fault"

echo "unpacking into $dest"
for wheel in "$work"/wheels/*.whl; do
  "$python" -m zipfile -e "$wheel" "$work/unpacked"
done

# The compiler's programs stay beside the library: they find it there, and it
# finds iree-lld there when another program has loaded it. The bindings for
# Python are left out.
tree=$work/tree
mkdir -p "$tree/bin" "$tree/lib"
mv "$work"/unpacked/iree/compiler/_mlir_libs/{libIREECompiler.so,iree-*,iree_platform_libs} \
  "$tree/lib"
mv "$work"/unpacked/iree/_runtime_libs/iree-* "$tree/bin"
for program in "$tree"/lib/iree-*; do
  ln -s "../lib/$(basename "$program")" "$tree/bin"
done
chmod +x "$tree"/bin/iree-*
echo "$stamp" >"$tree/stamp"

# Programs that cannot run here (an old C library, say) are found out now.
for program in iree-compile iree-run-module; do
  "$tree/bin/$program" --help >/dev/null || fail "$program does not run here"
done

[[ ! -e $dest ]] || mv "$dest" "$work/old"
mv "$tree" "$dest"
