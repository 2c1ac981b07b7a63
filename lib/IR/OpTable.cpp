//===- OpTable.cpp - What each op is to the planner -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/IR/OpTable.h"

#include <sstream>
#include <string>
#include <unordered_map>

using namespace remat::ir;
using S = StorageRule;
using W = WorkRule;

/// IREE's stream dialect: the ops that can stand in a stream.async.execute
/// after the async pipeline. A slice is a copy there, not a view: allocation
/// gives its result a place of its own. Update, fill and copy write into their
/// target.
static const DialectTable streamTable = {
    "stream",
    {
        {"async.dispatch", nullptr, S::UpdatesTied, W::Kernel},
        {"async.alloca async.splat async.clone async.slice", nullptr, S::Fresh,
         W::Move},
        {"async.fill async.update async.copy", nullptr, S::UpdatesFirst,
         W::Move},
        {"async.constant", "constant", S::Constant, W::Move},
        {"async.transfer", "moves data between devices", S::Fresh, W::Move},
        {"async.collective", "collective", S::UpdatesFirst, W::Move, true},
        {"async.call", "calls a function of unknown effects", S::UpdatesTied,
         W::Move, true},
        {"async.barrier", "fence", S::View, W::Move},
        {"async.parameter.load", "reads a file", S::Fresh, W::Move, true},
        {"async.parameter.read", "reads a file", S::UpdatesFirst, W::Move,
         true},
        {"async.parameter.write", "writes a file", S::UpdatesFirst, W::Move,
         true},
    }};

/// StableHLO. Random numbers, collectives, calls and anything that talks to the
/// outside are never executed twice; neither is control flow, whose bodies are
/// not planned.
static const DialectTable stablehloTable = {
    "stablehlo",
    {
        {"abs add and ceil clamp compare complex convert count_leading_zeros "
         "divide floor imag is_finite map maximum minimum multiply negate not "
         "or popcnt real reduce_precision remainder round_nearest_afz "
         "round_nearest_even select shift_left shift_right_arithmetic "
         "shift_right_logical sign subtract xor",
         nullptr, S::Fresh, W::Elementwise},
        {"atan2 cbrt cosine exponential exponential_minus_one log log_plus_one "
         "logistic power rsqrt sine sqrt tan tanh",
         nullptr, S::Fresh, W::Transcendental},
        {"broadcast broadcast_in_dim concatenate dynamic_slice "
         "dynamic_update_slice gather iota pad reverse scatter slice sort "
         "transpose",
         nullptr, S::Fresh, W::Move},
        {"reshape bitcast_convert", nullptr, S::View, W::Move},
        {"reduce reduce_window select_and_scatter batch_norm_training "
         "batch_norm_inference batch_norm_grad cholesky triangular_solve fft",
         nullptr, S::Fresh, W::Reduction},
        {"dot dot_general", nullptr, S::Fresh, W::Contraction},
        {"convolution", nullptr, S::Fresh, W::Convolution},
        {"constant", "constant", S::Constant, W::Move},
        {"optimization_barrier", "fence", S::PassThrough, W::Move},
        {"rng rng_bit_generator", "random numbers", S::Fresh, W::Move, true},
        {"all_gather all_reduce all_to_all collective_broadcast "
         "collective_permute partition_id reduce_scatter replica_id",
         "collective", S::Fresh, W::Move, true},
        {"infeed outfeed recv send", "talks to the host", S::Fresh, W::Move,
         true},
        {"custom_call", "calls a function of unknown effects", S::Fresh,
         W::Move, true},
        {"case if while", "control flow", S::Fresh, W::Move, true},
    }};

/// linalg on tensors. Structured ops are pure there. Their results are built in
/// their `outs` operands, which bufferization reuses in place.
static const DialectTable linalgTable = {
    "linalg",
    {
        {"abs add batch_matmul batch_matmul_transpose_a "
         "batch_matmul_transpose_b batch_matvec batch_vecmat ceil contract "
         "conv_1d conv_1d_ncw_fcw conv_1d_nwc_wcf conv_2d conv_2d_nchw_fchw "
         "conv_2d_ngchw_fgchw conv_2d_nhwc_fhwc conv_2d_nhwc_hwcf conv_3d "
         "conv_3d_ncdhw_fcdhw conv_3d_ndhwc_dhwcf depthwise_conv_2d_nchw_chw "
         "depthwise_conv_2d_nhwc_hwc div dot elementwise erf exp floor generic "
         "log map matmul matmul_transpose_a matmul_transpose_b matvec max min "
         "mul negf pooling_nchw_max pooling_nchw_sum pooling_nhwc_max "
         "pooling_nhwc_min pooling_nhwc_sum powf reciprocal reduce round rsqrt "
         "select sqrt square sub tanh vecmat",
         nullptr, S::Destination, W::Structured},
        {"broadcast copy fill pack transpose unpack", nullptr, S::Destination,
         W::Move},
        {"softmax winograd_filter_transform winograd_input_transform "
         "winograd_output_transform",
         nullptr, S::Destination, W::Transcendental},
        {"fill_rng_2d", "random numbers", S::Destination, W::Structured},
    }};

/// tensor. Reshapes share the storage of their source; slices are copies until
/// a compiler proves otherwise, so they count in full.
static const DialectTable tensorTable = {
    "tensor",
    {
        {"empty", nullptr, S::Nothing, W::Move},
        {"cast collapse_shape expand_shape reshape", nullptr, S::View, W::Move},
        {"bitcast concat dim extract extract_slice from_elements gather "
         "generate insert insert_slice pad rank scatter splat",
         nullptr, S::Fresh, W::Move},
    }};

/// tosa. Variables are state and are never touched twice.
static const DialectTable tosaTable = {
    "tosa",
    {
        {"abs add arithmetic_right_shift bitwise_and bitwise_not bitwise_or "
         "bitwise_xor cast ceil clamp clz equal floor greater greater_equal "
         "identity intdiv logical_and logical_left_shift logical_not "
         "logical_or logical_right_shift logical_xor maximum minimum mul "
         "negate rescale select sub",
         nullptr, S::Fresh, W::Elementwise},
        {"cos erf exp log pow reciprocal rsqrt sigmoid sin tanh", nullptr,
         S::Fresh, W::Transcendental},
        {"argmax avg_pool2d max_pool2d reduce_all reduce_any reduce_max "
         "reduce_min reduce_product reduce_sum",
         nullptr, S::Fresh, W::Reduction},
        {"concat gather pad resize reverse scatter slice table tile transpose",
         nullptr, S::Fresh, W::Move},
        {"reshape", nullptr, S::View, W::Move},
        {"matmul", nullptr, S::Fresh, W::Contraction},
        {"conv2d conv3d depthwise_conv2d transpose_conv2d", nullptr, S::Fresh,
         W::Convolution},
        {"const const_shape", "constant", S::Constant, W::Move},
        {"custom", "calls a function of unknown effects", S::Fresh, W::Move,
         true},
        {"variable variable_read variable_write", "state", S::Fresh, W::Move,
         true},
        {"cond_if while_loop", "control flow", S::Fresh, W::Move, true},
    }};

/// arith and math: elementwise on tensors, and the scalars around them.
static const DialectTable arithTable = {
    "arith",
    {
        {"addf addi andi bitcast ceildivsi ceildivui cmpf cmpi divf divsi "
         "divui extf extsi extui floordivsi fptosi fptoui index_cast "
         "index_castui maximumf maxnumf maxsi maxui minimumf minnumf minsi "
         "minui mulf muli negf ori remf remsi remui select shli shrsi shrui "
         "sitofp subf subi truncf trunci uitofp xori",
         nullptr, S::Fresh, W::Elementwise},
        {"constant", "constant", S::Constant, W::Move},
    }};
static const DialectTable mathTable = {
    "math",
    {
        {"absf absi ceil copysign ctlz ctpop cttz floor fma round roundeven "
         "trunc",
         nullptr, S::Fresh, W::Elementwise},
        {"acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp "
         "exp2 expm1 fpowi ipowi log log10 log1p log2 powf rsqrt sin sinh sqrt "
         "tan tanh",
         nullptr, S::Fresh, W::Transcendental},
    }};

const std::vector<DialectTable> &remat::ir::opTables() {
  static const std::vector<DialectTable> tables = {
      streamTable, stablehloTable, linalgTable, tensorTable,
      tosaTable,   arithTable,     mathTable};
  return tables;
}

const OpFamily *remat::ir::lookupOp(std::string_view name) {
  static const std::unordered_map<std::string, const OpFamily *> index = [] {
    std::unordered_map<std::string, const OpFamily *> result;
    for (const DialectTable &table : opTables()) {
      for (const OpFamily &family : table.families) {
        std::istringstream names(family.names);
        for (std::string op; names >> op;)
          result.emplace(std::string(table.dialect) + "." + op, &family);
      }
    }
    return result;
  }();
  auto found = index.find(std::string(name));
  return found == index.end() ? nullptr : found->second;
}
