//===- CertificateText.cpp - Certificates as text -------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/Bounds.h"

#include <charconv>
#include <sstream>
#include <unordered_map>

namespace remat::solver {

static constexpr const char *header = "remat-certificate 1";

std::string printCertificate(const Problem &problem,
                             const Certificate &certificate) {
  std::ostringstream text;
  auto stepLabel = [&](StepId step) {
    if (step == static_cast<StepId>(problem.steps.size()))
      return std::string("end");
    return step < 0 ? std::string("none")
                    : std::to_string(problem.steps[step].label);
  };
  text << header << "\ncap " << certificate.capBytes << "\n";
  if (certificate.isInfeasible)
    text << "infeasible\n";
  else
    text << "cost " << certificate.cost << "\n";
  if (problem.steps.empty())
    return text.str();
  for (size_t i = 0; i < certificate.order.size(); ++i)
    text << (i == 0 ? "order " : ",") << stepLabel(certificate.order[i])
         << (i + 1 == certificate.order.size() ? "\n" : "");
  text << "step " << stepLabel(certificate.step) << "\nprice "
       << certificate.price << "\nscale " << certificate.costScale << "\n";
  if (certificate.divisor != 0)
    text << "divisor " << certificate.divisor << "\n";
  for (const Certificate::Flow &flow : certificate.fromStorage)
    text << "flow tensor " << problem.tensors[flow.storage].label << " step "
         << stepLabel(flow.step) << " " << flow.amount << "\n";
  for (const Certificate::Flow &flow : certificate.toStorage)
    text << "flow step " << stepLabel(flow.step) << " tensor "
         << problem.tensors[flow.storage].label << " " << flow.amount << "\n";
  return text.str();
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
  bool hasCap = false, hasClaim = false;

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
    if (key == "flow")
      return parseFlow(words);
    if (words.size() != 2)
      return false;
    if (key == "cap" && !hasCap)
      return hasCap = parseNumber(words[1], certificate.capBytes);
    if (key == "cost" && !hasClaim)
      return hasClaim = parseNumber(words[1], certificate.cost);
    if (key == "order" && certificate.order.empty())
      return parseOrder(words[1]);
    if (key == "step")
      return parseStep(words[1], certificate.step);
    if (key == "price")
      return parseNumber(words[1], certificate.price);
    if (key == "scale")
      return parseNumber(words[1], certificate.costScale);
    return key == "divisor" && parseNumber(words[1], certificate.divisor);
  }

  bool parseFlow(const std::vector<std::string> &words) {
    Certificate::Flow flow;
    if (words.size() != 6 || !parseNumber(words[5], flow.amount))
      return false;
    if (words[1] == "tensor" && words[3] == "step" &&
        parseTensor(words[2], flow.storage) && parseStep(words[4], flow.step)) {
      certificate.fromStorage.push_back(flow);
      return true;
    }
    if (words[1] == "step" && words[3] == "tensor" &&
        parseStep(words[2], flow.step) && parseTensor(words[4], flow.storage)) {
      certificate.toStorage.push_back(flow);
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
