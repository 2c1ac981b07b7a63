//===- CertificateText.cpp - Certificates as text -------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/Certificate.h"

#include <charconv>
#include <limits>
#include <sstream>
#include <unordered_map>

namespace remat::solver {

static constexpr const char *header = "remat-certificate 1";

/// The first word of a line that stands for a node.
static const char *wordOf(MomentCase::Kind kind) {
  switch (kind) {
  case MomentCase::Kind::Split:
    return "split";
  case MomentCase::Kind::Settle:
    return "settle";
  case MomentCase::Kind::Bound:
    return "case";
  case MomentCase::Kind::Impossible:
    return "impossible";
  }
  return "";
}

namespace {

class CertificatePrinter {
public:
  CertificatePrinter(const Problem &problem, const Certificate &certificate)
      : problem(problem), certificate(certificate) {}

  std::string run() {
    text << header << "\nproof " << toString(certificate.kind()) << "\ncap "
         << certificate.capBytes << "\n";
    if (certificate.isInfeasible)
      text << "infeasible\n";
    else
      text << "cost " << certificate.cost << "\n";
    for (size_t i = 0; i < certificate.order.size(); ++i)
      text << (i == 0 ? "order " : ",") << stepLabel(certificate.order[i])
           << (i + 1 == certificate.order.size() ? "\n" : "");
    if (const auto *proof = std::get_if<MinCutProof>(&certificate.proof))
      printMinCut(*proof);
    if (const auto *proof = std::get_if<MomentProof>(&certificate.proof))
      printMoments(*proof);
    return text.str();
  }

private:
  const Problem &problem;
  const Certificate &certificate;
  std::ostringstream text;

  std::string stepLabel(StepId step) const {
    if (step == static_cast<StepId>(problem.steps.size()))
      return "end";
    return step < 0 ? "none" : std::to_string(problem.steps[step].label);
  }
  int64_t tensorLabel(TensorId tensor) const {
    return problem.tensors[tensor].label;
  }

  void printMinCut(const MinCutProof &proof) {
    text << "step " << stepLabel(proof.step) << "\nprice " << proof.price
         << "\nscale " << proof.costScale << "\n";
    if (proof.divisor != 0)
      text << "divisor " << proof.divisor << "\n";
    for (const MinCutProof::Flow &flow : proof.fromStorage)
      text << "flow tensor " << tensorLabel(flow.storage) << " step "
           << stepLabel(flow.step) << " " << flow.amount << "\n";
    for (const MinCutProof::Flow &flow : proof.toStorage)
      text << "flow step " << stepLabel(flow.step) << " tensor "
           << tensorLabel(flow.storage) << " " << flow.amount << "\n";
  }

  void printMoments(const MomentProof &proof) {
    text << "moments";
    for (StepId step : proof.moments)
      text << " " << stepLabel(step);
    text << "\nscale " << proof.scale << "\nweight-scale " << proof.weightScale
         << "\n";
    for (const MomentWeights &which : proof.weights) {
      text << "weights " << which.moment + 1 << " " << which.divisor;
      for (TensorId storage : which.storages)
        text << " " << tensorLabel(storage);
      text << "\n";
    }
    for (const MomentSum &sum : proof.sums) {
      text << "sum\n";
      for (const MomentAmount &each : sum)
        printAmount(each);
    }
    for (const MomentCase &each : proof.cases)
      printCase(each);
  }

  void printAmount(const MomentAmount &each) {
    switch (each.kind) {
    case MomentAmount::Kind::Read:
      text << "read " << each.from + 1 << " " << each.to + 1 << " tensor "
           << tensorLabel(each.id) << " step " << stepLabel(each.reader);
      break;
    case MomentAmount::Kind::Stay:
      text << "stay " << each.from + 1 << " " << each.to + 1 << " tensor "
           << tensorLabel(each.id);
      break;
    case MomentAmount::Kind::Part:
      text << "part " << each.from + 1 << " " << each.middle + 1 << " "
           << each.to + 1 << " step " << stepLabel(each.id);
      break;
    case MomentAmount::Kind::Again:
      text << "again " << each.from + 1 << " step " << stepLabel(each.id);
      break;
    case MomentAmount::Kind::Weight:
      text << "weight " << each.id + 1;
      break;
    }
    text << " " << each.amount << "\n";
  }

  void printCase(const MomentCase &each) {
    const MomentVariable &variable = each.variable;
    if (each.kind != MomentCase::Kind::Split)
      text << wordOf(each.kind) << " " << each.sum + 1;
    else if (variable.kind == MomentVariable::Kind::Held)
      text << "split held " << variable.from + 1 << " tensor "
           << tensorLabel(variable.id);
    else if (variable.kind == MomentVariable::Kind::Again)
      text << "split again step " << stepLabel(variable.id);
    else
      text << "split runs " << variable.from + 1 << " " << variable.to + 1
           << " step " << stepLabel(variable.id);
    text << "\n";
  }
};

} // namespace

std::string printCertificate(const Problem &problem,
                             const Certificate &certificate) {
  return CertificatePrinter(problem, certificate).run();
}

namespace {

class CertificateParser {
public:
  explicit CertificateParser(const Problem &problem) {
    for (size_t i = 0; i < problem.tensors.size(); ++i)
      tensorOf[problem.tensors[i].label] = static_cast<TensorId>(i);
    for (size_t i = 0; i < problem.steps.size(); ++i)
      stepOf[problem.steps[i].label] = static_cast<StepId>(i);
  }

  ParsedCertificate run(const std::string &text) {
    ParsedCertificate parsed;
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
      ++parsed.line;
      if (parsed.line == 1 ? line != header : !parseLine(line)) {
        parsed.error = parsed.line == 1
                           ? std::string("expected '") + header + "'"
                           : "cannot read '" + line + "'";
        return parsed;
      }
    }
    if (!hasCap || !hasClaim) {
      parsed.line = 0;
      parsed.error = "the certificate has no cap or claims nothing";
      return parsed;
    }
    parsed.certificate = std::move(certificate);
    return parsed;
  }

private:
  std::unordered_map<int64_t, TensorId> tensorOf;
  std::unordered_map<int64_t, StepId> stepOf;
  Certificate certificate;
  bool hasProof = false, hasCap = false, hasClaim = false;

  static bool parseNumber(const std::string &word, int64_t &number) {
    const char *end = word.data() + word.size();
    auto [stop, error] = std::from_chars(word.data(), end, number);
    return error == std::errc() && stop == end;
  }
  bool parseTensor(const std::string &word, TensorId &tensor) const {
    int64_t label;
    if (!parseNumber(word, label))
      return false;
    auto found = tensorOf.find(label);
    if (found == tensorOf.end())
      return false;
    tensor = found->second;
    return true;
  }
  bool parseStep(const std::string &word, StepId &step) const {
    if (word == "none" || word == "end") {
      step = word == "none" ? -1 : static_cast<StepId>(stepOf.size());
      return true;
    }
    int64_t label;
    if (!parseNumber(word, label))
      return false;
    auto found = stepOf.find(label);
    if (found == stepOf.end())
      return false;
    step = found->second;
    return true;
  }

  bool parseOrder(const std::string &words) {
    std::istringstream stream(words);
    for (std::string word; std::getline(stream, word, ',');) {
      int64_t label;
      if (!parseNumber(word, label) || !stepOf.count(label))
        return false;
      certificate.order.push_back(stepOf.at(label));
    }
    return !certificate.order.empty();
  }

  bool parseLine(const std::string &line) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
      words.push_back(word);
    if (words.empty())
      return true;
    const std::string &key = words[0];
    if (key == "infeasible" && words.size() == 1 && !hasClaim)
      return hasClaim = certificate.isInfeasible = true;
    if (words.size() == 2 && key == "proof" && !hasProof)
      return hasProof = parseKind(words[1]);
    if (words.size() == 2 && key == "cap" && !hasCap)
      return hasCap = parseNumber(words[1], certificate.capBytes);
    if (words.size() == 2 && key == "cost" && !hasClaim)
      return hasClaim = parseNumber(words[1], certificate.cost);
    if (words.size() == 2 && key == "order" && certificate.order.empty())
      return parseOrder(words[1]);
    // The other lines belong to the proof that a line before them announced.
    if (auto *proof = std::get_if<MinCutProof>(&certificate.proof))
      return parseMinCutLine(words, *proof);
    if (auto *proof = std::get_if<MomentProof>(&certificate.proof))
      return parseMomentLine(words, *proof);
    return false;
  }

  bool parseKind(const std::string &word) {
    if (word == toString(BoundKind::Schedule))
      return true;
    if (word == toString(BoundKind::MinimumCut)) {
      certificate.proof = MinCutProof();
      return true;
    }
    MomentProof moments;
    moments.order = word == toString(BoundKind::AnyOrder)
                        ? MomentOrder::Any
                        : MomentOrder::Schedule;
    bool isKnown = moments.order == MomentOrder::Any ||
                   word == toString(BoundKind::SeveralMoments);
    certificate.proof = std::move(moments);
    return isKnown;
  }

  bool parseMinCutLine(const std::vector<std::string> &words,
                       MinCutProof &proof) const {
    const std::string &key = words[0];
    if (key == "flow")
      return parseFlow(words, proof);
    if (words.size() != 2)
      return false;
    if (key == "step")
      return parseStep(words[1], proof.step);
    if (key == "price")
      return parseNumber(words[1], proof.price);
    if (key == "scale")
      return parseNumber(words[1], proof.costScale);
    return key == "divisor" && parseNumber(words[1], proof.divisor);
  }

  bool parseMomentLine(const std::vector<std::string> &words,
                       MomentProof &proof) const {
    const std::string &key = words[0];
    if (key == "moments")
      return parseMoments(words, proof);
    if (key == "weights")
      return parseWeights(words, proof);
    if (key == "sum" && words.size() == 1) {
      proof.sums.emplace_back();
      return true;
    }
    if (key == "read" || key == "stay" || key == "part" || key == "again" ||
        key == "weight")
      return parseAmount(words, proof);
    for (MomentCase::Kind kind :
         {MomentCase::Kind::Split, MomentCase::Kind::Settle,
          MomentCase::Kind::Bound, MomentCase::Kind::Impossible})
      if (key == wordOf(kind))
        return parseCase(kind, words, proof);
    if (words.size() != 2)
      return false;
    if (key == "scale")
      return parseNumber(words[1], proof.scale);
    return key == "weight-scale" && parseNumber(words[1], proof.weightScale);
  }

  /// Moments, weights and sums count from 1 in the text.
  static bool parseOrdinal(const std::string &word, int32_t &ordinal) {
    int64_t number;
    if (!parseNumber(word, number) || number < 1 ||
        number > std::numeric_limits<int32_t>::max())
      return false;
    ordinal = static_cast<int32_t>(number - 1);
    return true;
  }

  bool parseMoments(const std::vector<std::string> &words,
                    MomentProof &proof) const {
    for (size_t i = 1; i < words.size(); ++i)
      if (!parseStep(words[i], proof.moments.emplace_back()))
        return false;
    return true;
  }

  bool parseWeights(const std::vector<std::string> &words,
                    MomentProof &proof) const {
    MomentWeights &which = proof.weights.emplace_back();
    if (words.size() < 3 || !parseOrdinal(words[1], which.moment) ||
        !parseNumber(words[2], which.divisor))
      return false;
    for (size_t i = 3; i < words.size(); ++i)
      if (!parseTensor(words[i], which.storages.emplace_back()))
        return false;
    return true;
  }

  bool parseAmount(const std::vector<std::string> &words,
                   MomentProof &proof) const {
    if (proof.sums.empty())
      return false;
    MomentAmount &each = proof.sums.back().emplace_back();
    if (!parseNumber(words.back(), each.amount))
      return false;
    auto isStretch = [&](size_t numWords) {
      return words.size() == numWords && parseOrdinal(words[1], each.from);
    };
    if (words[0] == "read") {
      each.kind = MomentAmount::Kind::Read;
      return isStretch(8) && parseOrdinal(words[2], each.to) &&
             words[3] == "tensor" && parseTensor(words[4], each.id) &&
             words[5] == "step" && parseStep(words[6], each.reader);
    }
    if (words[0] == "stay") {
      each.kind = MomentAmount::Kind::Stay;
      return isStretch(6) && parseOrdinal(words[2], each.to) &&
             words[3] == "tensor" && parseTensor(words[4], each.id);
    }
    if (words[0] == "part") {
      each.kind = MomentAmount::Kind::Part;
      return isStretch(7) && parseOrdinal(words[2], each.middle) &&
             parseOrdinal(words[3], each.to) && words[4] == "step" &&
             parseStep(words[5], each.id);
    }
    if (words[0] == "again") {
      each.kind = MomentAmount::Kind::Again;
      each.to = static_cast<int32_t>(proof.moments.size());
      return isStretch(5) && words[2] == "step" && parseStep(words[3], each.id);
    }
    each.kind = MomentAmount::Kind::Weight;
    return words.size() == 3 && parseOrdinal(words[1], each.id);
  }

  bool parseCase(MomentCase::Kind kind, const std::vector<std::string> &words,
                 MomentProof &proof) const {
    MomentCase &each = proof.cases.emplace_back();
    each.kind = kind;
    if (kind != MomentCase::Kind::Split)
      return words.size() == 2 && parseOrdinal(words[1], each.sum);
    MomentVariable &variable = each.variable;
    if (words.size() == 5 && words[1] == "held" && words[3] == "tensor")
      return parseOrdinal(words[2], variable.from) &&
             parseTensor(words[4], variable.id);
    if (words.size() == 4 && words[1] == "again" && words[2] == "step") {
      variable.kind = MomentVariable::Kind::Again;
      return parseStep(words[3], variable.id);
    }
    variable.kind = MomentVariable::Kind::Runs;
    return words.size() == 6 && words[1] == "runs" && words[4] == "step" &&
           parseOrdinal(words[2], variable.from) &&
           parseOrdinal(words[3], variable.to) &&
           parseStep(words[5], variable.id);
  }

  bool parseFlow(const std::vector<std::string> &words,
                 MinCutProof &proof) const {
    MinCutProof::Flow flow;
    if (words.size() != 6 || !parseNumber(words[5], flow.amount))
      return false;
    if (words[1] == "tensor" && words[3] == "step" &&
        parseTensor(words[2], flow.storage) && parseStep(words[4], flow.step)) {
      proof.fromStorage.push_back(flow);
      return true;
    }
    if (words[1] == "step" && words[3] == "tensor" &&
        parseStep(words[2], flow.step) && parseTensor(words[4], flow.storage)) {
      proof.toStorage.push_back(flow);
      return true;
    }
    return false;
  }
};

} // namespace

ParsedCertificate parseCertificate(const Problem &problem,
                                   const std::string &text) {
  return CertificateParser(problem).run(text);
}

} // namespace remat::solver
