//===- Tuning.cpp - What the solver's work is tuned by --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/Tuning.h"

#include <charconv>
#include <cmath>
#include <sstream>
#include <type_traits>

namespace remat::solver {
namespace {

/// What Tuning.def says of a member, with the member itself.
template <typename T> struct Member {
  const char *group;
  const char *folder;
  const char *identifier;
  T &value;
  double least;
  double most;
  const char *unit;
  const char *reason;

  std::string name() const;
};

/// "numPrices" of the group "chain" as "chain.num-prices".
std::string kebabCase(const char *identifier) {
  std::string text;
  for (const char *at = identifier; *at; ++at) {
    if (*at >= 'A' && *at <= 'Z') {
      text += '-';
      text += static_cast<char>(*at - 'A' + 'a');
    } else {
      text += *at;
    }
  }
  return text;
}

template <typename T> std::string Member<T>::name() const {
  return kebabCase(group) + "." + kebabCase(identifier);
}

/// Calls `visitor` with a Member for each entry of `tuning`, in order.
template <typename Visitor> void visit(Tuning &tuning, Visitor &&visitor) {
#define REMAT_TUNING_GROUP(GROUP, FOLDER)                                      \
  {                                                                            \
    const char *folder = #FOLDER;                                              \
    auto &members = tuning.GROUP;
#define REMAT_TUNING(GROUP, TYPE, NAME, DEFAULT, LEAST, MOST, UNIT, REASON)    \
  visitor(Member<TYPE>{#GROUP, folder, #NAME, members.NAME,                    \
                       static_cast<double>(LEAST), static_cast<double>(MOST),  \
                       UNIT, REASON});
#define REMAT_TUNING_LIST(GROUP, NAME, LEAST, MOST, UNIT, REASON, ...)         \
  visitor(Member<std::vector<double>>{#GROUP, folder, #NAME, members.NAME,     \
                                      LEAST, MOST, UNIT, REASON});
#define REMAT_TUNING_RULE(GROUP, NAME, WHAT)                                   \
  visitor(Member<bool>{#GROUP, folder, #NAME, members.NAME, 0, 1, "", WHAT});
#define REMAT_TUNING_GROUP_END(GROUP) }
#include "remat/Solver/Tuning.def"
#undef REMAT_TUNING_GROUP
#undef REMAT_TUNING
#undef REMAT_TUNING_LIST
#undef REMAT_TUNING_RULE
#undef REMAT_TUNING_GROUP_END
}

template <typename T> std::string textOf(const T &value) {
  std::ostringstream text;
  if constexpr (std::is_same_v<T, bool>) {
    text << (value ? "on" : "off");
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    for (size_t i = 0; i < value.size(); ++i)
      text << (i == 0 ? "" : ",") << value[i];
  } else {
    text << value;
  }
  return text.str();
}

/// A whole number of digits where T is one, else any number.
template <typename T> bool parseNumber(std::string_view text, T &value) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return false;
  if constexpr (std::is_floating_point_v<T>)
    return std::isfinite(value);
  return true;
}

bool isInRange(double value, double least, double most) {
  return value >= least && value <= most;
}

/// Puts the value that `text` says into `member`; false if it is none.
bool parseInto(Member<bool> &member, std::string_view text) {
  if (text != "on" && text != "off")
    return false;
  member.value = text == "on";
  return true;
}

template <typename T> bool parseInto(Member<T> &member, std::string_view text) {
  T value;
  if (!parseNumber(text, value) ||
      !isInRange(static_cast<double>(value), member.least, member.most))
    return false;
  member.value = value;
  return true;
}

bool parseInto(Member<std::vector<double>> &member, std::string_view text) {
  std::vector<double> values;
  while (true) {
    size_t comma = text.find(',');
    double &value = values.emplace_back();
    if (!parseNumber(text.substr(0, comma), value) ||
        !isInRange(value, member.least, member.most))
      return false;
    if (comma == std::string_view::npos)
      break;
    text.remove_prefix(comma + 1);
  }
  member.value = std::move(values);
  return true;
}

template <typename T> std::string expectation(const Member<T> &member) {
  if constexpr (std::is_same_v<T, bool>)
    return "on or off";
  std::string range = "from " + textOf(member.least) + " to " +
                      textOf(member.most) + " (" + member.unit + ")";
  if constexpr (std::is_same_v<T, std::vector<double>>)
    return "numbers " + range + ", separated by commas";
  return (std::is_floating_point_v<T> ? "a number " : "a whole number ") +
         range;
}

} // namespace

const Tuning &Tuning::defaults() {
  static const Tuning tuning;
  return tuning;
}

std::vector<TuningEntry> tuningEntries() {
  std::vector<TuningEntry> entries;
  Tuning tuning;
  visit(tuning, [&](auto member) {
    TuningEntry &entry = entries.emplace_back();
    entry.name = member.name();
    entry.folder = member.folder;
    entry.isRule = std::is_same_v<std::decay_t<decltype(member.value)>, bool>;
    entry.defaultValue = textOf(member.value);
    if (!entry.isRule) {
      entry.least = textOf(member.least);
      entry.most = textOf(member.most);
    }
    entry.unit = member.unit;
    entry.reason = member.reason;
  });
  return entries;
}

std::optional<std::string> setTuning(Tuning &tuning, std::string_view name,
                                     std::string_view value) {
  bool isKnown = false;
  std::optional<std::string> error;
  visit(tuning, [&](auto member) {
    if (member.name() != name)
      return;
    isKnown = true;
    if (!parseInto(member, value))
      error = "invalid value '" + std::string(value) + "' of '" +
              std::string(name) + "'; expected " + expectation(member);
  });
  if (!isKnown)
    error = "unknown tuning constant or rule '" + std::string(name) +
            "'; --list-tuning lists them";
  return error;
}

} // namespace remat::solver
