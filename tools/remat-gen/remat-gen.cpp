//===- remat-gen.cpp - Writes training steps of known models --------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Models/Models.h"
#include "remat/Support/FileIO.h"
#include "remat/Support/Version.h"

#include <CLI/CLI.hpp>

#include <cstdio>

using namespace remat;
using namespace remat::models;

static constexpr const char *description =
    "Writes a training step of a known model as one StableHLO function: "
    "forward, loss, backward, optimizer update. All parameters and optimizer "
    "states are arguments and results; the last result is the loss.";

// Headings of the help.
static constexpr const char *shapeGroup =
    "Shape (defaults are those of the published model)";
static constexpr const char *formGroup = "Form";

namespace {

struct CommandLine {
  std::string model;
  ModelOptions options;
  std::string outputPath = "-";
  bool list = false;
  bool describe = false;
};

} // namespace

/// An option with one of a few words as its value.
template <typename Target, typename Enum>
static void addWords(CLI::App &app, const char *name, Target &value,
                     const std::map<std::string, Enum> &words,
                     const char *help) {
  std::string list;
  for (const auto &word : words)
    list += (list.empty() ? "" : "|") + word.first;
  app.add_option_function<std::string>(
         name,
         [&value, words](const std::string &word) { value = words.at(word); },
         help)
      ->check(CLI::IsMember(words).description(""))
      ->type_name(list)
      ->group(formGroup);
}

/// Declares the options; `line` must outlive the parsing.
static void addOptions(CLI::App &app, CommandLine &line) {
  ModelOptions &options = line.options;
  app.add_option("model", line.model, "The model; --list prints all names")
      ->type_name("MODEL");
  app.add_option("-o,--output", line.outputPath,
                 "File to write; - is standard output (default)")
      ->type_name("FILE");
  app.add_flag("--list", line.list, "Print the names of all models");
  app.add_flag("--describe", line.describe,
               "Print parameters, operations and activations of each layer "
               "instead of the program");

  auto number = [&](const char *name, std::optional<int64_t> &value,
                    const char *help) {
    app.add_option(name, value, help)->type_name("N")->group(shapeGroup);
  };
  number("--batch", options.batch, "Samples in a step");
  number("--image", options.image, "Height and width of the images");
  app.add_option("--width", options.width,
                 "Factor on all channel counts, for small variants")
      ->type_name("FACTOR")
      ->group(shapeGroup);
  number("--classes", options.classes, "Number of classes");
  number("--layers", options.layers,
         "Layers (mlp, cnn), blocks (transformer), levels (unet)");
  number("--features", options.features,
         "Width of dense layers (mlp) or tokens (transformer)");
  number("--heads", options.heads, "Attention heads (transformer)");
  number("--feed-forward", options.feedForward,
         "Width of the feed-forward layers (transformer)");
  number("--vocabulary", options.vocabulary,
         "Number of distinct tokens (transformer)");
  number("--sequence", options.sequence, "Tokens in a sample (transformer)");
  number("--slices", options.slices,
         "Slices of the batch that the first stages compute in turn (vgg16)");
  app.add_option("--dropout", options.dropout,
                 "Share of elements that dropout zeroes; 0 turns it off")
      ->type_name("RATE")
      ->group(shapeGroup);

  addWords<Layout, Layout>(app, "--layout", options.net.layout,
                           {{"nhwc", Layout::NHWC}, {"nchw", Layout::NCHW}},
                           "Order of the dimensions of images (default nhwc)");
  addWords<DType, DType>(
      app, "--dtype", options.net.dtype,
      {{"f32", DType::F32}, {"f16", DType::F16}, {"bf16", DType::BF16}},
      "Type of weights and activations; the loss and all norms are f32 "
      "(default f32)");
  addWords<Optimizer, Optimizer>(
      app, "--optimizer", options.net.optimizer,
      {{"none", Optimizer::None},
       {"sgd", Optimizer::SGD},
       {"momentum", Optimizer::Momentum},
       {"adam", Optimizer::Adam}},
      "Optimizer that updates the parameters; with none, the results are the "
      "gradients (default sgd)");
  addWords<bool, bool>(
      app, "--updates", options.net.updatesLast,
      {{"early", false}, {"last", true}},
      "Where updates stand: each right after its gradient, or all at the end, "
      "as frameworks write them (default early)");
  addWords<std::optional<Head>, Head>(
      app, "--head", options.head, {{"pooled", Head::Pooled}, {"lm", Head::LM}},
      "What the transformer predicts: one class per sample (pooled, default) "
      "or per token (lm)");
  app.add_flag_callback(
         "--causal", [&options] { options.causal = true; },
         "Tokens attend to earlier tokens only (transformer)")
      ->group(formGroup);
  app.add_flag("--donate,!--no-donate", options.net.donate,
               "Parameters and states give their buffers to their new values "
               "(tf.aliasing_output), as in the loops of frameworks; default "
               "--no-donate")
      ->group(formGroup);
  app.add_flag("--forward-only", options.net.forwardOnly,
               "Stop at the loss: no gradients and no updates")
      ->group(formGroup);
  app.add_option(
         "--seed", options.net.seed,
         "Seed that makes the dropout masks of programs differ (default 0)")
      ->type_name("N")
      ->group(formGroup);
}

static int run(const CommandLine &line) {
  if (line.list) {
    for (const ModelInfo &info : knownModels())
      std::printf("%-13s %s\n", info.name, info.summary);
    return 0;
  }
  std::unique_ptr<Model> model = buildModel(line.model, line.options);
  std::string error;
  if (writeFile(line.outputPath,
                line.describe ? model->describe() : model->text(), error))
    return 0;
  std::fprintf(stderr, "remat-gen: error: %s\n", error.c_str());
  return 1;
}

int main(int argc, char **argv) {
  CommandLine line;
  CLI::App app(description, "remat-gen");
  app.set_version_flag("--version", versionText("remat-gen"));
  addOptions(app, line);
  try {
    app.parse(argc, argv);
    if (line.model.empty() && !line.list)
      throw CLI::RequiredError("MODEL");
  } catch (const CLI::Success &answered) {
    return app.exit(answered);
  } catch (const CLI::ParseError &error) {
    std::fprintf(stderr,
                 "remat-gen: error: %s\nrun 'remat-gen --help' for the "
                 "options\n",
                 error.what());
    return 2;
  }
  try {
    return run(line);
  } catch (const ModelError &error) {
    std::fprintf(stderr, "remat-gen: error: %s\n", error.what());
    return 1;
  }
}
