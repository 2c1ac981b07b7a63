#!/usr/bin/env bash
# Makes the files of this directory again, after ./dev build:
#
#   docs/results/make.sh memory     what is planned only: memory exact, time
#                                   predicted
#   docs/results/make.sh measured   what is executed; for a machine that does
#                                   nothing else
#   docs/results/make.sh readme     README.md, from the JSON files that are there
#
# Each part ends with the README. Finished rows are kept in build/results: a
# part that was interrupted goes on where it was, `memory` after `measured`
# scales its predictions by what was measured, and rows that are known are not
# planned again. Remove build/results to begin anew.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

out=docs/results
work=build/results

# run NAME COMMAND OPTION...: one report as NAME.json and NAME.md.
run() {
  local name=$1 command=$2
  shift 2
  printf '==> %s\n' "$name"
  mkdir -p "$work/$name"
  build/bin/remat-run "$command" "$@" --work="$work/$name" \
    --json="$out/$name.json" --markdown="$out/$name.md" >"$work/$name/text"
}

# sweep NAME OPTION...: also as CSV, and with plots.
sweep() {
  local name=$1
  shift
  run "$name" sweep "$@" --resume --csv="$out/$name.csv" --svg="$out/$name"
  # Of one row there is nothing to plot; memory over time is in the page.
  rm -f "$out/$name/memory-over-time.svg"
  [[ $* == *--batches=*,* ]] || rm -rf "${out:?}/$name"
}

# once NAME COMMAND OPTION...: what cannot be resumed is not repeated either.
once() {
  if [[ -e $work/$1.done ]]; then
    printf '==> %s is there\n' "$1"
    return
  fi
  run "$@"
  touch "$work/$1.done"
}

# calibrate NAME: scales predictions by that report, if it measured anything.
calibrate() {
  ! grep -qs cpu_seconds_before "$out/$1.json" ||
    printf -- '--calibrate=%s/%s.json' "$out" "$1"
}

# Plans are sought without --deadline, so that they do not depend on how busy the
# machine is. The caps in percent are published ratios of the peak with
# recomputation to that without.

# Both parts have these: rows that are not executed are planned once.
transformer_sweeps() {
  local model=(--model=transformer --repetitions=3)
  sweep transformer-1.5GB "${model[@]}" --memory-cap=1.5GB \
    --batches=2,4,8,16,32,64,128,256 "$@"
  sweep transformer-ratios "${model[@]}" --batches=8,16,32,64,128,256 \
    --memory-cap=94.3%,81.1%,62.6%,43.7%,31.5%,23.4% "$@"
}

measured() {
  transformer_sweeps --execute=auto --budget=150
  sweep transformer-blocks-executed --model=transformer --against=blocks \
    --batches=8,16 --execute=always --repetitions=3
  sweep resnet50-64 --model=resnet50 --model-option=--image=64 \
    --batches=16,32,64 --memory-cap=75% --execute=always --repetitions=3
  sweep resnet152-b4-executed --model=resnet152 --batches=4 \
    --memory-cap=70% --execute=always --repetitions=1
  once transformer-profile profile test/Models/transformer.mlir \
    --memory-cap=40% --repetitions=21
  touch "$work/measured.done"
}

memory() {
  [[ -e $work/measured.done ]] || transformer_sweeps --execute=never
  transformer_plans --execute=never $(calibrate transformer-1.5GB)
  resnet_plans --execute=never $(calibrate resnet152-b4-executed)
  sweep cnn-b16 --model=cnn --batches=16 --memory-cap=15.3% --execute=never
  sweep vgg16-b64 --model=vgg16 --batches=64 --memory-cap=34.0% --execute=never
}

transformer_plans() {
  sweep transformer-blocks --model=transformer --against=blocks \
    --batches=8,16,32,64,128,256 "$@"
  sweep transformer-bf16 --model=transformer --model-option=--dtype=bf16 \
    --batches=128,256 --memory-cap=1.5GB --execute=never
  once transformer-frontier frontier --model=transformer --batch=32 \
    --points=17 --svg="$out/transformer-frontier"
}

resnet_plans() {
  local model
  for model in resnet18=60.9% resnet34=60.5% resnet50=45.8% resnet101=41.9% \
    resnet152=31.7% resnet200=31.7% inceptionv4=59.2%; do
    sweep "family-${model%=*}" --model="${model%=*}" --batches=32 \
      --memory-cap="${model#*=}" "$@"
  done
  sweep resnet152-1.5GB --model=resnet152 --batches=4,8,16,32,64 \
    --memory-cap=1.5GB "$@"
  sweep resnet152-ratios --model=resnet152 --batches=8,16,32,64 \
    --memory-cap=70.4%,43.6%,24.5%,13.1% "$@"
  sweep resnet152-blocks --model=resnet152 --against=blocks \
    --batches=4,8,16,32,64 "$@"
  sweep resnet152-bf16 --model=resnet152 --model-option=--dtype=bf16 \
    --batches=64 --memory-cap=1.5GB --execute=never
  run resnet50-max-batch-8GiB max-batch --model=resnet50 --memory=8GiB \
    --first-batch=64 --deadline=10 --resume "${@:2}"
}

readme() {
  python3 "$out/readme.py" "$out"
}

case ${1:-} in
memory | measured)
  "$1"
  readme
  ;;
readme) readme ;;
*)
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$out/make.sh" >&2
  exit 2
  ;;
esac
