//===- BlockChoices.h - Ways to hold less of a stretch of blocks ----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the chain DP puts together. A segment is a stretch of blocks between two
// boundaries that stay. For each there is a Pareto set of decisions about its
// tensors, inner boundaries among them, by three measures:
//
//   kept    the bytes of the segment that stay over the peak, while others are
//           at work;
//   inner   the most memory while the steps behind the peak read the segment,
//           recomputations included, without what earlier blocks keep;
//   cost    of the steps that run again.
//
// They come from plans for the whole problem, cut up at the boundaries that
// those keep. Each is then changed step by step where its memory is highest
// (drop, keep after all, repeat more often, tear a group apart), the least cost
// for the bytes first, which gives choices of ever lower inner peaks. All
// measures are those of the exact simulator, with everything else kept.
// They are a little optimistic: where a step makes a boundary and more, and
// something of it is made again, the boundary counts as gone, although the next
// segment may need it until then.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_BLOCKCHOICES_H
#define REMAT_LIB_SOLVER_BLOCKCHOICES_H

#include "Improve.h"
#include "Simulator.h"

#include <map>
#include <set>

namespace remat::solver {

/// Decisions about the tensors of a segment.
struct BlockChoice {
  /// What differs from keeping all that is read behind the peak.
  Changes changes;
  int64_t keptBytes = 0;
  int64_t innerBytes = 0;
  /// Above that of keeping all.
  int64_t cost = 0;
};

/// A stretch of blocks.
struct Segment {
  /// Its gaps that lie across the peak.
  std::vector<int32_t> gaps;
  /// The gap of the boundary before it across the peak, or -1. What reads it
  /// behind the peak belongs to the segment.
  int32_t boundaryGap = -1;
  /// What it keeps in the base.
  int64_t keptBytes = 0;
  /// What earlier blocks and the first boundary keep there.
  int64_t earlierBytes = 0;
};

/// Finds the choices of segments. Segments that are alike share theirs.
class BlockExplorer {
public:
  /// `base` is the plan that keeps all that is read behind the peak. Inner
  /// peaks are lowered to `freeInnerBytes`; differences below `quantumBytes` do
  /// not matter.
  BlockExplorer(const GapEncoding &encoding, Simulator &simulator,
                Budget &budget, int32_t peakSlot, const Decisions &base,
                int64_t quantumBytes, int64_t freeInnerBytes);

  /// To be called first if someone else has used the simulator.
  void takeSimulator();

  /// Adds what `plan` decides about the segment to its choices.
  void addSeed(const Segment &segment, const Decisions &plan);

  /// Looks for choices of lower inner peaks in all segments.
  void lowerInnerPeaks();

  /// The choices of a segment so far.
  std::vector<BlockChoice> choicesOf(const Segment &segment);

private:
  /// A choice in terms of its segment alone: one decision for each of its gaps,
  /// then one for each window in which they are read.
  struct Node {
    Decisions decisions;
    int64_t keptBytes = 0, innerBytes = 0, cost = 0;
    /// The window of the inner peak, from the first one that reads the segment.
    int32_t innerWindow = 0;
    bool isLowered = false;
  };
  /// What makes segments alike.
  using Shape = std::vector<int64_t>;
  /// Segments that are alike.
  struct Kind {
    Segment example;
    std::vector<Node> front;
    std::set<Decisions> seen;
  };

  const GapEncoding &encoding;
  Simulator &simulator;
  Budget &budget;
  int32_t peakSlot;
  const Decisions &base;
  int64_t quantumBytes, freeInnerBytes;
  std::vector<int64_t> bytesOfBase;
  int64_t costOfBase = 0;
  std::map<Shape, Kind> kinds;

  /// The segment at work, and the windows that read it.
  const Segment *segment = nullptr;
  int32_t beginWindow = 0, endWindow = 0;

  bool enter(const Segment &which);
  Kind &kind();
  Shape shape() const;
  Changes changesOf(const Decisions &decisions) const;
  void evaluate(Node &node);
  std::vector<Decisions> movesOf(const Node &node) const;
  bool dominates(const Node &a, const Node &b) const;
  /// Adds a node unless another dominates it.
  bool add(Kind &kind, Node node);
  void lower(Kind &kind, Node node);
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_BLOCKCHOICES_H
