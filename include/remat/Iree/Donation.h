//===- Donation.h - Which arguments give their buffers away ---------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A donated argument gives its buffer to a result: the caller does not need the
// old value any more. In the input of IREE the attribute tf.aliasing_output of
// an argument names the result (JAX writes it), jax.buffer_donor leaves the
// choice to the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IREE_DONATION_H
#define REMAT_IREE_DONATION_H

#include "remat/IR/Wrappers.h"

#include <optional>
#include <set>
#include <string>

namespace remat {

/// The forms of a donation, in words.
inline constexpr const char *donationForms =
    "auto, none, parameters, or argument numbers such as 0,1,4";

/// Which arguments are donated.
struct Donation {
  enum class Kind {
    Auto,       ///< Those that the program marks.
    None,       ///< None, whatever the program marks.
    Parameters, ///< Those of remat.kind "parameter" or "optimizer-state".
    Arguments,  ///< Those that are listed.
  };
  Kind kind = Kind::Auto;
  std::set<int64_t> arguments;
};

/// Parses one of `donationForms`.
std::optional<Donation> parseDonation(const std::string &text);

/// Marks the arguments of the functions in `module` (StableHLO, before IREE
/// changes it) according to `donation`; those in `kept` stay undonated. A
/// donated argument gives its buffer to the result of the same remat.name, else
/// to the first of its type that has no buffer yet. Returns what is wrong, or
/// an empty text: an argument that does not exist, or that no result can take
/// over.
std::string applyDonation(ir::Op module, const Donation &donation,
                          const std::set<int64_t> &kept);

} // namespace remat

#endif // REMAT_IREE_DONATION_H
