//===- MemoryCases.h - Plans with their memory, by hand -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What validate() and computeTimeline() must agree on, slot by slot. Sizes are
// powers of ten, so that a sum shows what is in it.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TEST_UNIT_SOLVER_SUPPORT_MEMORYCASES_H
#define REMAT_TEST_UNIT_SOLVER_SUPPORT_MEMORYCASES_H

#include "ParseForTest.h"

namespace remat::solver {

struct MemoryCase {
  const char *name;
  /// The problem, without its header line.
  const char *lines;
  std::vector<StepId> sequence;
  /// The memory in every slot of `sequence`.
  std::vector<int64_t> slotBytes;
  int64_t cost;
};

inline std::vector<MemoryCase> memoryCases() {
  std::vector<MemoryCase> cases;
  cases.push_back({"results appear before dead operands go",
                   "tensor 0 bytes=1\ntensor 1 bytes=10\ntensor 2 bytes=100\n"
                   "step 0 cost=1 out=0\nstep 1 cost=2 in=0 out=1\n"
                   "step 2 cost=4 in=1 out=2\noutput 2\n",
                   {0, 1, 2},
                   {1, 11, 110},
                   7});
  // a dies in slot 1, its last read before A runs again in slot 3.
  cases.push_back({"recomputation ends the life of the old version",
                   "tensor 0 bytes=1\ntensor 1 bytes=10\ntensor 2 bytes=100\n"
                   "tensor 3 bytes=1000\n"
                   "step 0 cost=1 out=0\nstep 1 cost=2 in=0 out=1\n"
                   "step 2 cost=4 in=1 out=2\nstep 3 cost=8 in=2,0 out=3\n"
                   "output 3\n",
                   {0, 1, 2, 0, 3},
                   {1, 11, 110, 101, 1101},
                   16});
  cases.push_back({"inputs stay, donated ones go after their last read",
                   "tensor 0 bytes=1 kind=input\n"
                   "tensor 1 bytes=10 kind=donated\n"
                   "tensor 2 bytes=100 kind=donated\ntensor 3 bytes=1000\n"
                   "step 0\nstep 1 in=0,1 out=3\nstep 2\n"
                   "input 0,1,2\noutput 3\n",
                   {0, 1, 2},
                   // 2 is never read: it is there in the first slot only.
                   {111, 1011, 1001},
                   0});
  cases.push_back({"workspace counts while its step runs",
                   "tensor 0 bytes=1\n"
                   "step 0 workspace=10 out=0\nstep 1 in=0\noutput 0\n",
                   {0, 1},
                   {11, 1},
                   0});
  cases.push_back({"dead results need room in their slot",
                   "tensor 0 bytes=1\ntensor 1 bytes=10\n"
                   "step 0 out=0,1\nstep 1 in=0\n",
                   {0, 1},
                   {11, 1},
                   0});
  // Recomputing step 0 for the sake of 1 also replaces 0, whose first version
  // is then dead between slots 1 and 3.
  cases.push_back({"a recomputation returns all results",
                   "tensor 0 bytes=1\ntensor 1 bytes=10\n"
                   "step 0 out=0,1\nstep 1 in=0,1\nstep 2\nstep 3 in=0,1\n",
                   {0, 1, 2, 0, 3},
                   {11, 11, 0, 11, 11},
                   0});
  cases.push_back({"steps of a group run side by side",
                   "tensor 0 bytes=1\ntensor 1 bytes=10\ntensor 2 bytes=100\n"
                   "tensor 3 bytes=1000\n"
                   "step 0 out=0\n"
                   "step 1 workspace=10000 in=0 out=1 group=5\n"
                   "step 2 workspace=20000 out=2 group=5\n"
                   "step 3 in=1,2 out=3\n",
                   {0, 1, 2, 3},
                   {1, 30111, 1110},
                   0});
  // Recomputing 0 in between tears the group apart: two slots. At the end step
  // 1 joins no slot: the one before it has it already.
  cases.push_back({"a split group, and a step twice in a row",
                   "tensor 0 bytes=1\ntensor 1 bytes=10\ntensor 2 bytes=100\n"
                   "step 0 out=0\nstep 1 in=0 out=1 group=5\n"
                   "step 2 in=0 out=2 group=5\n",
                   {0, 1, 0, 2, 1, 1},
                   // 2 and the first repetition of 1 share a slot.
                   {1, 11, 1, 111, 11},
                   0});
  cases.push_back({"in-place results take no further room",
                   "tensor 0 bytes=1\ntensor 1 bytes=1\ntensor 2 bytes=100\n"
                   "step 0 out=0\nstep 1 in=0 out=1 inplace=1:0\n"
                   "step 2 in=1 out=2\n",
                   {0, 1, 2},
                   {1, 1, 101},
                   0});
  cases.push_back({"an in-place chain is recomputed from its start",
                   "tensor 0 bytes=1\ntensor 1 bytes=1\ntensor 2 bytes=100\n"
                   "step 0 out=0\nstep 1 in=0 out=1 inplace=1:0\n"
                   "step 2 in=1 out=2\nstep 3\nstep 4 in=1,2\n",
                   {0, 1, 2, 3, 0, 1, 4},
                   {1, 1, 101, 100, 101, 101, 101},
                   0});
  // The views keep the storage of 0 after 0 itself was last read.
  cases.push_back({"a view of a view",
                   "tensor 0 bytes=10\ntensor 1 bytes=10 alias=0\n"
                   "tensor 2 bytes=5 alias=1\n"
                   "step 0 out=0\nstep 1 in=0 out=1\nstep 2 in=1 out=2\n"
                   "step 3\nstep 4 in=2\nstep 5\n",
                   {0, 1, 2, 3, 4, 5},
                   {10, 10, 10, 10, 10, 0},
                   0});
  // The second version of 0 has a storage of its own; the view of the first
  // keeps the old one.
  cases.push_back({"a view keeps the storage of an old version",
                   "tensor 0 bytes=10\ntensor 1 bytes=10 alias=0\n"
                   "step 0 out=0\nstep 1 in=0 out=1\nstep 2 in=0\n"
                   "step 3 in=1\n",
                   {0, 1, 0, 2, 3},
                   {10, 10, 20, 20, 10},
                   0});
  cases.push_back({"overwriting through a view of a view",
                   "tensor 0 bytes=10\ntensor 1 bytes=10 alias=0\n"
                   "tensor 2 bytes=10\n"
                   "step 0 out=0\nstep 1 in=0 out=1\n"
                   "step 2 in=1 out=2 inplace=2:1\nstep 3\nstep 4 in=2\n",
                   {0, 1, 2, 3, 4},
                   {10, 10, 10, 10, 10},
                   0});
  // 1 is a view of the donated 0 and not donated itself: the storage stays.
  cases.push_back({"an input that is a view of another input",
                   "tensor 1 bytes=5 kind=input alias=0\n"
                   "tensor 0 bytes=10 kind=donated\n"
                   "step 0 in=0\nstep 1 in=1\nstep 2\ninput 1,0\n",
                   {0, 1, 2},
                   {10, 10, 10},
                   0});
  cases.push_back({"a donated view of a donated input",
                   "tensor 1 bytes=5 kind=donated alias=0\n"
                   "tensor 0 bytes=10 kind=donated\n"
                   "step 0 in=0\nstep 1 in=1\nstep 2\ninput 1,0\n",
                   {0, 1, 2},
                   {10, 10, 0},
                   0});
  cases.push_back({"a tensor that is both an input and an output",
                   "tensor 0 bytes=10 kind=donated\n"
                   "step 0\nstep 1 in=0\nstep 2\ninput 0\noutput 0\n",
                   {0, 1, 2},
                   {10, 10, 10},
                   0});
  // The update lives in the storage of the parameter, which the output keeps.
  cases.push_back({"an input overwritten by an output",
                   "tensor 0 bytes=10 kind=donated\ntensor 1 bytes=10\n"
                   "step 0\nstep 1 in=0 out=1 inplace=1:0\nstep 2\n"
                   "input 0\noutput 1\n",
                   {0, 1, 2},
                   {10, 10, 10},
                   0});
  // Only the last version of an output stays.
  cases.push_back({"an output that is recomputed",
                   "tensor 0 bytes=10\nstep 0 out=0\nstep 1\noutput 0\n",
                   {0, 1, 0, 1},
                   {10, 0, 10, 10},
                   0});
  cases.push_back({"one operand read twice by one step",
                   "tensor 0 bytes=10\nstep 0 out=0\nstep 1 in=0,0\n",
                   {0, 1},
                   {10, 10},
                   0});
  return cases;
}

} // namespace remat::solver

#endif // REMAT_TEST_UNIT_SOLVER_SUPPORT_MEMORYCASES_H
