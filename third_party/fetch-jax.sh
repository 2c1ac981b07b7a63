#!/usr/bin/env bash
# Obtains the pinned JAX release for the tests that compare gradients with it:
#
#   third_party/fetch-jax.sh DIR
#
#   DIR/python    runs a Python that can import jax
#   DIR/packages  jax and what it needs
#   DIR/stamp     what was installed; if it is up to date, nothing happens
#
# The packages are downloaded by name with pip, which refuses files whose
# SHA-256 differs from jax-requirements.txt. Nothing is written outside of DIR,
# which appears whole or not at all.
set -euo pipefail

fail() {
  echo "fetch-jax: error: $*" >&2
  exit 1
}

if [[ $# -ne 1 || $1 == -* ]]; then
  echo "usage: fetch-jax.sh DIR" >&2
  exit 2
fi

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
requirements=$here/jax-requirements.txt
mkdir -p "$(dirname "$1")"
dest=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")

stamp=$(cat "$requirements" "${BASH_SOURCE[0]}" | sha256sum | cut -d' ' -f1)
if [[ -f $dest/stamp && $(<"$dest/stamp") == "$stamp" ]]; then
  echo "JAX is up to date in $dest"
  exit 0
fi

# The wheels are for one version of Python.
python=
for candidate in python3 /usr/bin/python3 python3.11; do
  if "$candidate" -c 'import sys, pip; sys.exit(sys.version_info[:2] != (3, 11))' \
    2>/dev/null; then
    python=$("$candidate" -c 'import sys; print(sys.executable)')
    break
  fi
done
[[ -n $python ]] ||
  fail "no Python 3.11 with pip, which the pinned packages are for"

work=$(mktemp -d "$dest.part.XXXXXX")
trap 'rm -rf "$work"' EXIT

echo "downloading JAX (about 140 MB)"
"$python" -m pip install --quiet --disable-pip-version-check --no-cache-dir \
  --root-user-action=ignore --no-deps --only-binary=:all: --require-hashes --requirement "$requirements" \
  --target "$work/tree/packages" </dev/null ||
  fail "pip could not obtain the packages; its message above says whether the" \
    "network, the package index or a hash is at fault"

cat >"$work/tree/python" <<SCRIPT
#!/bin/sh
PYTHONPATH='$dest/packages' exec '$python' "\$@"
SCRIPT
chmod +x "$work/tree/python"
echo "$stamp" >"$work/tree/stamp"

[[ ! -e $dest ]] || mv "$dest" "$work/old"
mv "$work/tree" "$dest"
"$dest/python" -c 'import jax; jax.numpy.zeros(1)' || {
  mv "$dest" "$work/broken"
  fail "JAX does not run here"
}
