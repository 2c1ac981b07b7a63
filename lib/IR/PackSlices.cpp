//===- PackSlices.cpp - Our places in place of IREE's ---------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/IR/PackSlices.h"

#include "remat/IR/StreamOps.h"
#include "remat/Solver/Packing.h"

#include <algorithm>

using namespace remat::ir;
using namespace remat::solver;

/// The slices of `pack`; nothing if a size is not a constant.
static std::optional<std::vector<PackItem>> readSlices(Op pack) {
  MlirAttribute intervals = pack.attribute("lifetime_intervals");
  intptr_t count = pack.numResults() - 1;
  if (mlirAttributeIsNull(intervals) ||
      mlirArrayAttrGetNumElements(intervals) != 2 * count ||
      pack.numOperands() != count) // a base offset makes one more
    return std::nullopt;
  auto slot = [&](intptr_t index) {
    return static_cast<int32_t>(
        mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(intervals, index)));
  };
  std::vector<PackItem> items;
  for (intptr_t i = 0; i < count; ++i) {
    std::optional<int64_t> bytes = pack.operand(i).constantInt();
    if (!bytes)
      return std::nullopt;
    // Lifetimes are inclusive.
    items.push_back({slot(2 * i), slot(2 * i + 1) + 1, alignSlice(*bytes)});
  }
  return items;
}

/// An arith.constant of type index in front of `before`.
static Value makeIndex(Op before, int64_t value) {
  MlirType type = mlirIndexTypeGet(before.context());
  MlirNamedAttribute attribute =
      mlirNamedAttributeGet(mlirIdentifierGet(before.context(), toRef("value")),
                            mlirIntegerAttrGet(type, value));
  MlirOperationState state =
      mlirOperationStateGet(toRef("arith.constant"), before.location());
  mlirOperationStateAddResults(&state, 1, &type);
  mlirOperationStateAddAttributes(&state, 1, &attribute);
  Op constant = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(before.block(), before.raw(),
                                      constant.raw());
  return constant.result(0);
}

PackedSlices remat::ir::packSlices(Op root) {
  std::vector<Op> packs;
  walk(root, [&](Op op) {
    if (op.is("stream.resource.pack"))
      packs.push_back(op);
  });
  PackedSlices result;
  for (Op packOp : packs) {
    std::optional<std::vector<PackItem>> items = readSlices(packOp);
    if (!items)
      continue;
    int64_t live = peakBytes(*items);
    Packing packing = pack(*items, live);
    std::vector<int64_t> values = {packing.totalBytes};
    values.insert(values.end(), packing.offsets.begin(), packing.offsets.end());
    for (size_t i = 0; i < values.size(); ++i)
      mlirValueReplaceAllUsesOfWith(packOp.result(i).raw(),
                                    makeIndex(packOp, values[i]).raw());
    mlirOperationDestroy(packOp.raw());
    ++result.packs;
    result.slabBytes = std::max(result.slabBytes, packing.totalBytes);
    result.liveBytes = std::max(result.liveBytes, live);
  }
  return result;
}
