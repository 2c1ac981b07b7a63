//===- PassPipeline.cpp - A pass manager with our passes and IREE's -------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/PassPipeline.h"

#include <exception>

using namespace remat;

static MlirStringRef toRef(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}

static const PassEntry *findOurs(const std::string &name) {
  for (const PassEntry &entry : allPasses())
    if (name == entry.name)
      return &entry;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// IREE's passes
//===----------------------------------------------------------------------===//

/// Passes `text` to IREE. Returns its error message, or an empty string.
static std::string addForeign(MlirOpPassManager where,
                              const std::string &text) {
  std::string complaint;
  MlirLogicalResult result = mlirOpPassManagerAddPipeline(
      where, toRef(text),
      [](MlirStringRef piece, void *out) {
        static_cast<std::string *>(out)->append(piece.data, piece.length);
      },
      &complaint);
  if (mlirLogicalResultIsSuccess(result))
    return {};
  return complaint.empty() ? "cannot be added" : complaint;
}

/// The op that a pass is restricted to, from IREE's error about a pipeline that
/// runs on another op. No function of the C API returns it.
static std::string restrictionIn(const std::string &complaint) {
  constexpr std::string_view before = "restricted to '";
  size_t begin = complaint.find(before);
  if (begin == std::string::npos)
    return {};
  begin += before.size();
  return complaint.substr(begin, complaint.find('\'', begin) - begin);
}

/// The essence of IREE's error about the element `name`: the full message
/// repeats the text with its own caret, and ends with IREE's context.
static std::string gist(const std::string &name, const std::string &complaint) {
  std::string restriction = restrictionIn(complaint);
  if (!restriction.empty())
    return "the pass '" + name + "' runs on '" + restriction +
           "' only; write '" + restriction + "(" + name + ")'";
  size_t begin = 0;
  for (std::string_view prefix : {"error: ", "<Pass-Options-Parser>: "}) {
    size_t found = complaint.find(prefix);
    if (found != std::string::npos)
      begin = found + prefix.size();
  }
  std::string line =
      complaint.substr(begin, complaint.find('\n', begin) - begin);
  if (line.find("'" + name + "'") != std::string::npos)
    return line;
  return "pass '" + name + "': " + line;
}

static bool isUnknown(const std::string &complaint) {
  return complaint.find("does not refer to a registered pass") !=
         std::string::npos;
}

/// Adds `text` to a temporary pipeline; returns IREE's error message.
static std::string probe(MlirContext context, const std::string &anchor,
                         const std::string &text) {
  MlirPassManager trial =
      mlirPassManagerCreateOnOperation(context, toRef(anchor));
  std::string complaint =
      addForeign(mlirPassManagerGetAsOpPassManager(trial), text);
  mlirPassManagerDestroy(trial);
  return complaint;
}

bool remat::isPassName(MlirContext context, const std::string &name) {
  return findOurs(name) || !isUnknown(probe(context, "any", name));
}

bool remat::checkAnchor(const PipelineElement &element, PipelineError &error) {
  if (element.name == "any" || element.name.find('.') != std::string::npos)
    return true;
  error = {"'" + element.name +
               "' is not an op; expected passes nested in an op such as "
               "builtin.module or func.func, and the options of a pass in "
               "braces",
           element.offset};
  return false;
}

//===----------------------------------------------------------------------===//
// PassPipeline
//===----------------------------------------------------------------------===//

PassPipeline::PassPipeline(MlirContext context, const std::string &anchor,
                           DiagnosticSink sink)
    : context(context), anchor(anchor), sink(std::move(sink)),
      manager(mlirPassManagerCreateOnOperation(context, toRef(anchor))) {}

PassPipeline::~PassPipeline() { mlirPassManagerDestroy(manager); }

void PassPipeline::runInstance(MlirOperation root, MlirExternalPass pass,
                               void *userData) {
  const Instance &instance = *static_cast<const Instance *>(userData);
  bool succeeded = false;
  // The frames above are built without exceptions.
  try {
    succeeded = instance.run(root, *instance.sink);
  } catch (const std::exception &exception) {
    (*instance.sink)({Severity::Error,
                      mlirOperationGetLocation(root),
                      std::string("'") + instance.entry->name +
                          "' failed: " + exception.what(),
                      {}});
  }
  if (!succeeded)
    mlirExternalPassSignalFailure(pass);
}

bool PassPipeline::appendTo(MlirOpPassManager where,
                            const PipelineElement &element,
                            PipelineError &error) {
  if (element.isNested) {
    if (!checkAnchor(element, error))
      return false;
    MlirOpPassManager nested =
        mlirOpPassManagerGetNestedUnder(where, toRef(element.name));
    for (const PipelineElement &child : element.nested)
      if (!appendTo(nested, child, error))
        return false;
    return true;
  }

  const PassEntry *entry = findOurs(element.name);
  if (!entry) {
    std::string complaint = addForeign(where, element.text());
    if (complaint.empty())
      return true;
    error = {gist(element.name, complaint), element.offset};
    return false;
  }

  std::string wrong;
  PassFunction run = entry->bind(element.options, wrong);
  if (!run) {
    error = {"pass '" + element.name + "': " + wrong, element.offset};
    return false;
  }
  // The instance does not change while it runs, so clones, one per thread, can
  // share it; it lives as long as the pass manager.
  instances.push_back(
      std::make_unique<Instance>(Instance{entry, std::move(run), &this->sink}));
  MlirExternalPassCallbacks callbacks{};
  callbacks.construct = [](void *) {};
  callbacks.destruct = [](void *) {};
  callbacks.clone = [](void *instance) { return instance; };
  callbacks.run = &runInstance;
  mlirOpPassManagerAddOwnedPass(
      where,
      mlirCreateExternalPass(
          // The table of passes does not move: an address is an id.
          mlirTypeIDCreate(entry),
          mlirStringRefCreateFromCString(entry->className), toRef(element.name),
          mlirStringRefCreateFromCString(entry->summary),
          /*opName=*/mlirStringRefCreate(nullptr, 0),
          /*nDependentDialects=*/0, /*dependentDialects=*/nullptr, callbacks,
          instances.back().get()));
  return true;
}

bool PassPipeline::append(const std::vector<PipelineElement> &elements,
                          PipelineError &error) {
  for (const PipelineElement &element : elements)
    if (!appendTo(mlirPassManagerGetAsOpPassManager(manager), element, error))
      return false;
  return true;
}

bool PassPipeline::appendNesting(const PipelineElement &element,
                                 PipelineError &error) {
  if (findOurs(element.name))
    return append({element}, error);
  std::string restriction =
      restrictionIn(probe(context, anchor, element.text()));
  if (restriction.empty())
    return append({element}, error);
  PipelineElement around;
  around.name = restriction;
  around.isNested = true;
  around.nested.push_back(element);
  around.offset = element.offset;
  return append({around}, error);
}

bool PassPipeline::run(MlirOperation root) {
  return mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, root));
}
