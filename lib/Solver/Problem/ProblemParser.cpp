//===- ProblemParser.cpp - Reads problems from text -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/ProblemText.h"

#include <array>
#include <cassert>
#include <cctype>
#include <limits>
#include <unordered_map>

namespace remat::solver {
namespace {

constexpr std::string_view header = "remat-problem 1";

constexpr std::array<TensorKind, 8> allKinds = {
    TensorKind::Parameter,  TensorKind::Input,    TensorKind::Constant,
    TensorKind::Activation, TensorKind::Gradient, TensorKind::OptimizerState,
    TensorKind::Output,     TensorKind::Donated,
};

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The numeric value of a hexadecimal digit, or -1.
int hexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

/// One word of a line: `key=value`, or a bare word, which has no `key`.
struct Word {
  std::string_view key;
  std::string value;
  bool isKeyed = false;
};

/// Parses line by line, up to the first error. Steps and lists may name tensors
/// of later lines, so labels become ids in a second pass.
class Parser {
public:
  ParsedProblem run(std::string_view text) {
    ParsedProblem parsed;
    if (parseLines(text) && resolveLabels()) {
      if (std::optional<std::string> fault = check(problem)) {
        parsed.error = *fault;
        return parsed;
      }
      parsed.problem = std::move(problem);
      return parsed;
    }
    parsed.line = line;
    parsed.error = std::move(error);
    return parsed;
  }

private:
  /// The labels in a `step` line.
  struct StepLabels {
    std::vector<int64_t> operands;
    std::vector<int64_t> results;
    std::vector<std::pair<int64_t, int64_t>> inPlace;
    int64_t line;
  };
  /// The labels in an `input` or `output` line.
  struct ListLabels {
    bool isInput;
    std::vector<int64_t> labels;
    int64_t line;
  };

  Problem problem;
  int64_t line = 0;
  std::string error;

  std::unordered_map<int64_t, TensorId> tensorOfLabel;
  std::unordered_map<int64_t, StepId> stepOfLabel;
  /// The label after `alias=` of each tensor, if the key is present.
  std::vector<std::optional<int64_t>> aliasLabels;
  std::vector<int64_t> tensorLines;
  std::vector<StepLabels> stepLabels;
  std::vector<ListLabels> lists;

  bool fail(std::string message) {
    error = std::move(message);
    return false;
  }

  bool parseLines(std::string_view text) {
    bool seenHeader = false;
    while (!text.empty()) {
      ++line;
      size_t end = text.find('\n');
      std::string_view current = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      std::vector<Word> words;
      if (!splitWords(current, words))
        return false;
      if (words.empty())
        continue;
      if (!seenHeader) {
        if (words.size() != 2 || words[0].value != "remat-problem" ||
            words[1].value != "1")
          return fail("expected the first line to be " + quoted(header));
        seenHeader = true;
        continue;
      }
      if (!parseLine(words))
        return false;
    }
    if (!seenHeader) {
      line = 0;
      return fail("the text is empty; expected " + quoted(header));
    }
    return true;
  }

  /// Splits a line at white space outside quotes; `#` ends it.
  bool splitWords(std::string_view text, std::vector<Word> &words) {
    size_t at = 0;
    while (true) {
      while (at < text.size() && isSpace(text[at]))
        ++at;
      if (at == text.size() || text[at] == '#')
        return true;
      Word word;
      size_t start = at;
      bool isQuoted = false;
      for (; at < text.size() && !isSpace(text[at]) && text[at] != '#'; ++at) {
        if (isQuoted)
          return fail("unexpected text after a closing quote");
        if (text[at] == '=' && !word.isKeyed) {
          word.isKeyed = true;
          word.key = text.substr(start, at - start);
          word.value.clear();
        } else if (text[at] == '"') {
          // A quote starts a value, or the reason after "no:".
          if (!word.isKeyed || (!word.value.empty() && word.value != "no:"))
            return fail("unexpected quote; only values of keys are quoted");
          if (!takeQuoted(text, at, word.value))
            return false;
          isQuoted = true;
        } else {
          word.value += text[at];
        }
      }
      words.push_back(std::move(word));
    }
  }

  /// Appends the quoted string that starts at `at` to `value` and leaves `at`
  /// on the closing quote.
  bool takeQuoted(std::string_view text, size_t &at, std::string &value) {
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] != '\\') {
        value += text[at];
        continue;
      }
      char escape = ++at < text.size() ? text[at] : '\0';
      if (escape == '"' || escape == '\\') {
        value += escape;
      } else if (escape == 'n') {
        value += '\n';
      } else if (escape == 't') {
        value += '\t';
      } else if (escape == 'x' && at + 2 < text.size() &&
                 hexDigit(text[at + 1]) >= 0 && hexDigit(text[at + 2]) >= 0) {
        value += static_cast<char>(hexDigit(text[at + 1]) * 16 +
                                   hexDigit(text[at + 2]));
        at += 2;
      } else {
        return fail("unknown escape in a quoted string; use \\\", \\\\, \\n, "
                    "\\t or \\xHH");
      }
    }
    if (at >= text.size())
      return fail("a quoted string is not closed");
    return true;
  }

  bool parseLine(const std::vector<Word> &words) {
    const Word &head = words[0];
    if (head.isKeyed)
      return fail("expected 'tensor', 'step', 'input' or 'output', got " +
                  quoted(std::string(head.key) + "=" + head.value));
    if (head.value == "tensor")
      return parseTensor(words);
    if (head.value == "step")
      return parseStep(words);
    if (head.value == "input" || head.value == "output")
      return parseList(words);
    return fail("expected 'tensor', 'step', 'input' or 'output', got " +
                quoted(head.value));
  }

  /// Decimal digits, nothing else; `what` names the number in errors.
  bool parseNumber(std::string_view text, const std::string &what,
                   int64_t &value) {
    bool isNumber = !text.empty();
    value = 0;
    for (char c : text) {
      if (!std::isdigit(static_cast<unsigned char>(c))) {
        isNumber = false;
        break;
      }
      int digit = c - '0';
      if (value > (std::numeric_limits<int64_t>::max() - digit) / 10)
        return fail(what + " " + quoted(text) + " is too large");
      value = value * 10 + digit;
    }
    if (!isNumber)
      return fail("expected " + what + " to be a decimal number, got " +
                  quoted(text));
    return true;
  }

  /// The id after `tensor` or `step`.
  bool parseLabel(const std::vector<Word> &words, int64_t &label) {
    const std::string &what = words[0].value;
    if (words.size() < 2 || words[1].isKeyed)
      return fail("expected an id after " + quoted(what));
    return parseNumber(words[1].value, "the id of a " + what, label);
  }

  /// Calls `take(word)` for each key of a line after its id; keys are in any
  /// order, each at most once.
  template <typename Take>
  bool parseKeys(const std::vector<Word> &words, Take take) {
    for (size_t i = 2; i < words.size(); ++i) {
      if (!words[i].isKeyed)
        return fail("expected key=value, got " + quoted(words[i].value));
      for (size_t j = 2; j < i; ++j)
        if (words[j].key == words[i].key)
          return fail("the key " + quoted(words[i].key) + " is given twice");
      if (!take(words[i]))
        return false;
    }
    return true;
  }

  bool parseLabels(std::string_view text, const std::string &what,
                   std::vector<int64_t> &labels) {
    while (true) {
      size_t comma = text.find(',');
      int64_t label;
      if (!parseNumber(text.substr(0, comma), what, label))
        return false;
      labels.push_back(label);
      if (comma == std::string_view::npos)
        return true;
      text.remove_prefix(comma + 1);
    }
  }

  /// Whether one more tensor or step still gets an id.
  bool hasRoom(size_t number) {
    return number < static_cast<size_t>(std::numeric_limits<int32_t>::max()) ||
           fail("more than 2^31 - 1 tensors or steps");
  }

  bool parseTensor(const std::vector<Word> &words) {
    Tensor tensor;
    if (!parseLabel(words, tensor.label) || !hasRoom(problem.tensors.size()))
      return false;
    TensorId id = static_cast<TensorId>(problem.tensors.size());
    if (!tensorOfLabel.emplace(tensor.label, id).second)
      return fail("tensor " + std::to_string(tensor.label) +
                  " is declared twice");
    bool hasBytes = false;
    std::optional<int64_t> alias;
    auto take = [&](const Word &word) {
      if (word.key == "bytes") {
        hasBytes = true;
        return parseNumber(word.value, "bytes", tensor.bytes);
      }
      if (word.key == "kind")
        return parseKind(word.value, tensor.kind);
      if (word.key == "alias") {
        alias = -1;
        return word.value == "-1" || parseNumber(word.value, "alias", *alias);
      }
      return fail("unknown key " + quoted(word.key) +
                  " of a tensor; known are bytes, kind and alias");
    };
    if (!parseKeys(words, take))
      return false;
    if (!hasBytes)
      return fail("tensor " + std::to_string(tensor.label) +
                  " lacks its bytes=");
    problem.tensors.push_back(tensor);
    aliasLabels.push_back(alias);
    tensorLines.push_back(line);
    return true;
  }

  bool parseKind(const std::string &word, TensorKind &kind) {
    std::string known;
    for (TensorKind candidate : allKinds) {
      if (word == toString(candidate)) {
        kind = candidate;
        return true;
      }
      known += std::string(known.empty() ? "" : ", ") + toString(candidate);
    }
    return fail("unknown kind " + quoted(word) + "; known are " + known);
  }

  bool parseStep(const std::vector<Word> &words) {
    Step step;
    StepLabels labels;
    labels.line = line;
    if (!parseLabel(words, step.label) || !hasRoom(problem.steps.size()))
      return false;
    StepId id = static_cast<StepId>(problem.steps.size());
    if (!stepOfLabel.emplace(step.label, id).second)
      return fail("step " + std::to_string(step.label) + " is declared twice");
    auto take = [&](const Word &word) {
      if (word.key == "cost")
        return parseNumber(word.value, "cost", step.cost);
      if (word.key == "workspace")
        return parseNumber(word.value, "workspace", step.workspaceBytes);
      if (word.key == "recompute")
        return parseRecompute(word.value, step.noRecompute);
      if (word.key == "effects")
        return parseEffects(word.value, step.hasEffects);
      if (word.key == "name") {
        step.name = word.value;
        return true;
      }
      // Programs that print one key per field write empty lists.
      if (word.key == "in")
        return word.value.empty() ||
               parseLabels(word.value, "an id in 'in'", labels.operands);
      if (word.key == "out")
        return word.value.empty() ||
               parseLabels(word.value, "an id in 'out'", labels.results);
      if (word.key == "inplace")
        return parseInPlace(word.value, labels);
      if (word.key == "group")
        return parseGroup(word.value, step.group);
      return fail("unknown key " + quoted(word.key) +
                  " of a step; known are cost, workspace, recompute, effects, "
                  "name, in, out, inplace and group");
    };
    if (!parseKeys(words, take))
      return false;
    problem.steps.push_back(std::move(step));
    stepLabels.push_back(std::move(labels));
    return true;
  }

  bool parseRecompute(const std::string &value, std::string &noRecompute) {
    if (value == "yes")
      return true;
    if (value.size() <= 3 || value.compare(0, 3, "no:") != 0)
      return fail("expected recompute=yes or recompute=no:reason, got " +
                  quoted(value));
    noRecompute = value.substr(3);
    return true;
  }

  bool parseEffects(const std::string &value, bool &hasEffects) {
    if (value != "yes" && value != "no")
      return fail("expected effects=yes or effects=no, got " + quoted(value));
    hasEffects = value == "yes";
    return true;
  }

  bool parseInPlace(std::string_view text, StepLabels &labels) {
    while (true) {
      size_t comma = text.find(',');
      std::string_view pair = text.substr(0, comma);
      size_t colon = pair.find(':');
      if (colon == std::string_view::npos)
        return fail("expected inplace=result:operand, got " + quoted(pair));
      int64_t result, operand;
      if (!parseNumber(pair.substr(0, colon), "an id in 'inplace'", result) ||
          !parseNumber(pair.substr(colon + 1), "an id in 'inplace'", operand))
        return false;
      labels.inPlace.emplace_back(result, operand);
      if (comma == std::string_view::npos)
        return true;
      text.remove_prefix(comma + 1);
    }
  }

  bool parseGroup(const std::string &value, int32_t &group) {
    int64_t number;
    if (!parseNumber(value, "group", number))
      return false;
    if (number > std::numeric_limits<int32_t>::max())
      return fail("group " + quoted(value) + " is too large");
    group = static_cast<int32_t>(number);
    return true;
  }

  bool parseList(const std::vector<Word> &words) {
    const std::string &what = words[0].value;
    if (words.size() != 2 || words[1].isKeyed)
      return fail("expected ids separated by commas after " + quoted(what));
    ListLabels list;
    list.isInput = what == "input";
    list.line = line;
    if (!parseLabels(words[1].value, "an id of " + quoted(what), list.labels))
      return false;
    lists.push_back(std::move(list));
    return true;
  }

  bool resolve(int64_t label, TensorId &tensor) {
    auto found = tensorOfLabel.find(label);
    if (found == tensorOfLabel.end())
      return fail("tensor " + std::to_string(label) + " is not declared");
    tensor = found->second;
    return true;
  }

  bool resolveAll(const std::vector<int64_t> &labels,
                  std::vector<TensorId> &tensors) {
    for (int64_t label : labels) {
      TensorId tensor;
      if (!resolve(label, tensor))
        return false;
      tensors.push_back(tensor);
    }
    return true;
  }

  bool resolveLabels() {
    assert(aliasLabels.size() == problem.tensors.size() &&
           tensorLines.size() == problem.tensors.size() &&
           stepLabels.size() == problem.steps.size());
    for (size_t id = 0; id < problem.tensors.size(); ++id) {
      line = tensorLines[id];
      if (aliasLabels[id].value_or(-1) >= 0 &&
          !resolve(*aliasLabels[id], problem.tensors[id].alias))
        return false;
    }
    for (size_t id = 0; id < problem.steps.size(); ++id) {
      Step &step = problem.steps[id];
      line = stepLabels[id].line;
      if (!resolveAll(stepLabels[id].operands, step.operands) ||
          !resolveAll(stepLabels[id].results, step.results) ||
          !resolveInPlace(stepLabels[id], step))
        return false;
    }
    for (const ListLabels &list : lists) {
      line = list.line;
      if (!resolveAll(list.labels,
                      list.isInput ? problem.inputs : problem.outputs))
        return false;
    }
    return true;
  }

  /// An in-place result shares the storage of what it overwrites; its tensor
  /// line may omit the alias but must not contradict it.
  bool resolveInPlace(const StepLabels &labels, Step &step) {
    for (auto [resultLabel, operandLabel] : labels.inPlace) {
      InPlace pair;
      if (!resolve(resultLabel, pair.result) ||
          !resolve(operandLabel, pair.operand))
        return false;
      std::optional<int64_t> alias = aliasLabels[pair.result];
      if (alias && *alias != operandLabel)
        return fail("inplace=" + std::to_string(resultLabel) + ":" +
                    std::to_string(operandLabel) +
                    " contradicts alias=" + std::to_string(*alias) +
                    " of tensor " + std::to_string(resultLabel));
      problem.tensors[pair.result].alias = pair.operand;
      step.inPlace.push_back(pair);
    }
    return true;
  }
};

} // namespace

ParsedProblem parseProblem(std::string_view text) { return Parser().run(text); }

} // namespace remat::solver
