//===- Net.h - Layers, their gradients and the optimizer ------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Net writes a training step into a Graph. Each layer method appends the
// forward operations and puts a record on a tape: the values it read, the value
// it defined, and a rule that writes the backward operations. minimize() walks
// the tape in reverse:
//
//   forward   x -> conv1 -> relu1 -> dense -> loss
//   tape      [conv1, relu1, dense, loss]
//   backward  loss', dense', relu1', conv1'
//
// A rule writes the gradients of the parameters first. As soon as the last use
// of a parameter has contributed, its update is written, so that no gradient
// of a parameter outlives the layer. Gradients that nothing needs (of the model
// input, say) are not written.
//
// The rules are formulated for compilers as much as for people: reductions
// never accumulate a negated value, large sums have two stages, kernels are
// flipped by slices, max pooling keeps the position of the maximum.
//
// Parameters are named after the layer path, "layer1.0.conv1.weight".
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_MODELS_NET_H
#define REMAT_MODELS_NET_H

#include "remat/Models/Graph.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace remat::models {

/// The order of the dimensions of images: channels last or first.
enum class Layout { NHWC, NCHW };

/// The optimizer that uses the gradients. None: they are the results.
enum class Optimizer { None, SGD, Momentum, Adam };

struct NetOptions {
  Layout layout = Layout::NHWC;
  /// Element type of weights and activations. The loss, normalization and
  /// their parameters are always computed in f32.
  DType dtype = DType::F32;
  Optimizer optimizer = Optimizer::SGD;
  /// Write all updates after all gradients, in the order of the parameters, as
  /// frameworks do; otherwise each as soon as its gradient is complete.
  bool updatesLast = false;
  /// Parameters and states give their buffers to their new values, as in the
  /// loops of frameworks.
  bool donate = false;
  /// Stop at the loss: no gradients, no updates.
  bool forwardOnly = false;
  /// Distinguishes the dropout masks of programs that get the same seed
  /// argument.
  uint32_t seed = 0;
};

/// Zeros around an image. Same: as many as give ceil(extent / stride) results,
/// the odd one at the high end; Symmetric: (window - 1) / 2 on both sides;
/// Valid: none.
enum class Padding { Same, Symmetric, Valid };

/// Window of a convolution or a pooling.
struct Window {
  Pair size;
  Pair stride = {1, 1};
  Padding padding = Padding::Same;
};

class Net {
public:
  Net(Graph &graph, NetOptions options) : graph(graph), options(options) {}
  Net(const Net &) = delete;
  Net &operator=(const Net &) = delete;

  /// Data that the step reads and does not train. Arguments come in the order
  /// of the calls, followed by the learning rate, the parameters and the
  /// optimizer's state.
  Value input(const std::string &name, Type type);

  /// The seed of all dropout masks, an i32 argument. Call it among the inputs.
  Value seedInput();

  /// A trained tensor called after the current layer and `name`.
  Value parameter(const std::string &name, Shape shape, DType dtype);

  /// A tensor of the net's element type.
  Type tensorType(Shape shape) const {
    return {options.dtype, std::move(shape)};
  }

  /// An image of the net's element type, in its layout.
  Type imageType(int64_t batch, int64_t height, int64_t width,
                 int64_t channels) const;

  //===--- Elementwise ----------------------------------------------------===//

  Value relu(Value x);
  /// The tanh form of GELU.
  Value gelu(Value x);
  Value add(Value a, Value b);
  Value scale(Value x, double factor);
  /// Adds a parameter that varies along the dimensions `dims` of `x`, which do
  /// not include the first.
  Value shift(Value x, const std::string &name, std::vector<int64_t> dims);
  /// Adds a parameter along dimension `dim`.
  Value bias(Value x, int64_t dim) { return shift(x, "bias", {dim}); }
  /// Zeroes elements with probability `rate` and scales the others up. Which
  /// ones is a hash of the seed argument, the layer and the position of the
  /// element: the same whenever it is recomputed.
  Value dropout(Value x, double rate);

  //===--- Products -------------------------------------------------------===//

  /// Contracts the last dimension of `x` with the first of `weight`.
  Value matmul(Value x, Value weight);
  /// matmul with a parameter of `features` columns, then a bias if asked for.
  Value dense(Value x, int64_t features, bool withBias = true);
  /// Product of the last two dimensions, for each index of the others;
  /// the last one of `b` comes transposed if `transposeB`.
  Value batchMatmul(Value a, Value b, bool transposeB);
  /// [batch, sequence, width] to [batch, heads, sequence, width / heads].
  Value splitHeads(Value x, int64_t heads);
  /// The inverse of splitHeads.
  Value mergeHeads(Value x);
  /// Rows of a parameter of `rows` x `width`, picked by the i32 tensor `index`.
  Value embedding(Value index, int64_t rows, int64_t width);

  //===--- Images ---------------------------------------------------------===//

  Value conv(Value x, int64_t features, Window window, bool withBias = false);
  /// Doubles height and width: the transposed convolution with a window and
  /// stride of 2, and a bias.
  Value upConv(Value x, int64_t features);
  Value maxPool(Value x, Window window);
  /// The mean over the part of each window that lies in the image.
  Value averagePool(Value x, Window window);
  /// The mean over height and width: [batch, channels].
  Value globalMean(Value x);
  /// Joins along the channels.
  Value concat(const std::vector<Value> &images);
  /// An image with the channels last, whatever the layout.
  Value channelsLast(Value x);
  /// All dimensions but the first become one.
  Value flatten(Value x);
  /// Applies `layers` to `count` parts of the batch of `x`, one after the
  /// other, and joins the results. The parts share their parameters. Only for
  /// layers that treat each sample alone (no batch norm): then it is the same
  /// as `layers` on the whole, but no step works on more than one part.
  Value inSlices(Value x, int64_t count,
                 const std::function<Value(Value part)> &layers);

  //===--- Normalization and loss -----------------------------------------===//

  /// Normalizes each channel over the batch, with a trained scale and shift.
  /// There are no running averages: they do not take part in training.
  Value batchNorm(Value x);
  /// Normalizes the last dimension, with a trained scale and shift.
  Value layerNorm(Value x);
  /// Softmax of the last dimension. If `causal`, element [.., i, j] counts only
  /// for j <= i.
  Value softmax(Value x, bool causal = false);
  /// The mean over dimension `dim`, which the result lacks.
  Value mean(Value x, int64_t dim);
  /// The mean softmax cross-entropy, a scalar; the classes are the last
  /// dimension of `logits`, and `labels` are i32 without it.
  Value crossEntropy(Value logits, Value labels);
  /// The mean of the squared differences, a scalar.
  Value meanSquaredError(Value x, Value target);

  //===--- The step -------------------------------------------------------===//

  /// Writes the backward pass and the updates, and makes new parameters, new
  /// states and the loss the results of the graph. Called once, at the end.
  void minimize(Value loss);

  /// A value that a layer of the forward pass defined.
  struct Activation {
    std::string path;
    Value value;
  };

  const std::vector<Activation> &activations() const { return activationList; }
  const std::vector<Port> &parameters() const { return parameterList; }
  int64_t parameterCount() const;

private:
  /// Writes the gradients of a layer's operands, given that of its result.
  using Rule = std::function<void(Value gradient)>;

  struct Record {
    Value result;
    Rule rule;
    std::string path;
  };

  /// A part of the batch of `x`: number `index` of `count` about equal ones.
  /// `partGradients` has a place for the gradient of each; with that of the
  /// first, which comes last, all are joined to that of `x`.
  Value batchSlice(Value x, int64_t index, int64_t count,
                   const std::shared_ptr<std::vector<Value>> &partGradients);
  /// Joins along dimension `dim`.
  Value join(const std::vector<Value> &parts, int64_t dim);

  /// Zeros below and above the two spatial dimensions.
  struct Border {
    Pair low = {0, 0}, high = {0, 0};
  };

  /// Records that a layer computed `result` from `operands`, unless it is one
  /// of them. Returns `result`.
  Value record(Value result, const std::vector<Value> &operands, Rule rule);
  /// Whether the gradient of `value` is needed.
  bool wants(Value value) const { return wanted.count(value) != 0; }
  /// Adds to the gradient of `value`; updates it if it is a parameter, this was
  /// its last use and updates do not wait.
  void contribute(Value value, Value gradient);
  /// The sum of gradients that were computed at different times.
  Value sumOfParts(std::vector<Value> parts);

  /// Products of the element type, accumulated in f32: sums of many products
  /// need the precision, and GPUs have units for exactly that.
  Value dot(Value lhs, Value rhs, DotAttr attr);
  Value convolution(Value image, Value kernel, const ConvAttr &attr);

  void createScalars();
  void createStates();
  void update(const Port &parameter, Value gradient);

  int64_t channelDim(Value x) const;
  Pair spatialDims() const;
  ConvDims imageDims() const;
  ConvDims kernelDims() const;
  /// What `window` pads `x` with.
  Border borderOf(Value x, const Window &window) const;
  /// A convolution with a window of 1x1, channels last, as a matrix product.
  Value pointwiseConv(Value x, int64_t features, Pair stride);
  /// Sum over `dims` in f32: the spatial ones first, then the batch.
  Value stagedSum(Value x, std::vector<int64_t> inner,
                  const std::vector<int64_t> &outer);
  /// The kernel of the convolution's adjoint: both spatial dimensions reversed,
  /// input and output features exchanged.
  Value adjointKernel(Value kernel);
  /// The gradient of the kernel of a convolution of `x`, given that of its
  /// result; in the layout NHWC `dy` may be padded with zeros, `dyBorder`.
  Value weightGradient(Value x, Value dy, const Border &dyBorder,
                       const ConvAttr &attr, const Window &window);
  Value weightGradientByConv(Value x, Value dy, const ConvAttr &attr,
                             const Window &window);
  /// The elements x[g * stride + remainder - low] for all g in `extent`, zero
  /// outside `x`, as a matrix of one row per position and a column per channel.
  Value phase(Value x, Pair remainder, Pair stride, Pair low, Pair extent);
  /// Sums of the windows of `x`, which is padded already.
  Value windowSum(Value x, Pair size, Pair stride);
  /// Strided part of the two spatial dimensions of `x`.
  Value spatialSlice(Value x, Pair start, Pair extent, Pair stride);
  /// Pads the two spatial dimensions of `x`.
  Value spatialPad(Value x, double element, Pair low, Pair high,
                   Pair interior = {0, 0});

  Graph &graph;
  NetOptions options;
  std::vector<Record> tape;
  std::set<Value> wanted;
  std::map<Value, Value> gradients; ///< Of values that are not parameters.
  /// By parameter, the contribution of each use.
  std::map<Value, std::vector<Value>> parameterGradients;
  std::map<Value, int> uses; ///< Of parameters that have not contributed yet.
  std::vector<Port> parameterList;
  std::map<Value, size_t> parameterIds;
  /// Whether parameters are those that an earlier slice created; see inSlices.
  bool sharesParameters = false;
  std::vector<Activation> activationList;

  Value seed, learningRate, step;
  /// By parameter: the state tensors, and the new ones with the new value.
  struct Slots {
    std::vector<Port> states;
    std::vector<Value> newStates;
    Value newValue;
  };
  std::vector<Slots> slots;
  /// 1 / (1 - beta^t) of Adam's two averages, computed at the first update.
  Value correction1, correction2;
  int dropoutCount = 0;
};

} // namespace remat::models

#endif // REMAT_MODELS_NET_H
