// Training step of a Transformer encoder: 6 pre-norm blocks of layer norm,
// multi-head softmax attention, layer norm and a GELU (tanh form) MLP, each with
// a residual connection; a final layer norm and projection to a vocabulary of
// 32; mean softmax cross-entropy over all tokens; SGD with learning rate 0.01.
//
// Batch 32, sequence 64, model width 64, 4 heads of 16, MLP width 256. Tokens come
// already embedded. Reductions never accumulate a negated value (negation follows
// the reduction), and each parameter is updated right after its gradient.
//
//   %x                        tensor<32x64x64xf32>  embedded tokens
//   %labels                   tensor<32x64xi32>      class of each token, 0..31
//   %lI.ln1.gamma, .beta      tensor<64xf32>         layer norm before attention
//   %lI.attn.wq, wk, wv, wo   tensor<64x64xf32>      projections, input first
//   %lI.ln2.gamma, .beta      tensor<64xf32>         layer norm before the MLP
//   %lI.mlp.w1, b1            tensor<64x256xf32>, tensor<256xf32>
//   %lI.mlp.w2, b2            tensor<256x64xf32>, tensor<64xf32>
//   %head.ln.gamma, .beta     tensor<64xf32>
//   %head.w                   tensor<64x32xf32>
//
// Results: the 75 new parameters in the order of the arguments, then the loss.
//
// To run it:
//   iree-compile --iree-hal-target-device=local \
//     --iree-hal-local-target-device-backends=llvm-cpu \
//     --iree-llvmcpu-target-cpu=host transformer.mlir -o transformer.vmfb
//   layer="--input=64xf32=1 --input=64xf32=0 --input=64x64xf32=0.01
//     --input=64x64xf32=0.01 --input=64x64xf32=0.01 --input=64x64xf32=0.01
//     --input=64xf32=1 --input=64xf32=0 --input=64x256xf32=0.01
//     --input=256xf32=0 --input=256x64xf32=0.01 --input=64xf32=0"
//   iree-run-module --device=local-sync --module=transformer.vmfb \
//     --function=main --input=32x64x64xf32=0.5 --input=32x64xi32=3 \
//     $(for i in $(seq 6); do echo $layer; done) --input=64xf32=1 \
//     --input=64xf32=0 --input=64x32xf32=0.01 --print_statistics

module @transformer {
func.func @main(
    %x: tensor<32x64x64xf32>,
    %labels: tensor<32x64xi32>,
    %l0.ln1.gamma: tensor<64xf32>,
    %l0.ln1.beta: tensor<64xf32>,
    %l0.attn.wq: tensor<64x64xf32>,
    %l0.attn.wk: tensor<64x64xf32>,
    %l0.attn.wv: tensor<64x64xf32>,
    %l0.attn.wo: tensor<64x64xf32>,
    %l0.ln2.gamma: tensor<64xf32>,
    %l0.ln2.beta: tensor<64xf32>,
    %l0.mlp.w1: tensor<64x256xf32>,
    %l0.mlp.b1: tensor<256xf32>,
    %l0.mlp.w2: tensor<256x64xf32>,
    %l0.mlp.b2: tensor<64xf32>,
    %l1.ln1.gamma: tensor<64xf32>,
    %l1.ln1.beta: tensor<64xf32>,
    %l1.attn.wq: tensor<64x64xf32>,
    %l1.attn.wk: tensor<64x64xf32>,
    %l1.attn.wv: tensor<64x64xf32>,
    %l1.attn.wo: tensor<64x64xf32>,
    %l1.ln2.gamma: tensor<64xf32>,
    %l1.ln2.beta: tensor<64xf32>,
    %l1.mlp.w1: tensor<64x256xf32>,
    %l1.mlp.b1: tensor<256xf32>,
    %l1.mlp.w2: tensor<256x64xf32>,
    %l1.mlp.b2: tensor<64xf32>,
    %l2.ln1.gamma: tensor<64xf32>,
    %l2.ln1.beta: tensor<64xf32>,
    %l2.attn.wq: tensor<64x64xf32>,
    %l2.attn.wk: tensor<64x64xf32>,
    %l2.attn.wv: tensor<64x64xf32>,
    %l2.attn.wo: tensor<64x64xf32>,
    %l2.ln2.gamma: tensor<64xf32>,
    %l2.ln2.beta: tensor<64xf32>,
    %l2.mlp.w1: tensor<64x256xf32>,
    %l2.mlp.b1: tensor<256xf32>,
    %l2.mlp.w2: tensor<256x64xf32>,
    %l2.mlp.b2: tensor<64xf32>,
    %l3.ln1.gamma: tensor<64xf32>,
    %l3.ln1.beta: tensor<64xf32>,
    %l3.attn.wq: tensor<64x64xf32>,
    %l3.attn.wk: tensor<64x64xf32>,
    %l3.attn.wv: tensor<64x64xf32>,
    %l3.attn.wo: tensor<64x64xf32>,
    %l3.ln2.gamma: tensor<64xf32>,
    %l3.ln2.beta: tensor<64xf32>,
    %l3.mlp.w1: tensor<64x256xf32>,
    %l3.mlp.b1: tensor<256xf32>,
    %l3.mlp.w2: tensor<256x64xf32>,
    %l3.mlp.b2: tensor<64xf32>,
    %l4.ln1.gamma: tensor<64xf32>,
    %l4.ln1.beta: tensor<64xf32>,
    %l4.attn.wq: tensor<64x64xf32>,
    %l4.attn.wk: tensor<64x64xf32>,
    %l4.attn.wv: tensor<64x64xf32>,
    %l4.attn.wo: tensor<64x64xf32>,
    %l4.ln2.gamma: tensor<64xf32>,
    %l4.ln2.beta: tensor<64xf32>,
    %l4.mlp.w1: tensor<64x256xf32>,
    %l4.mlp.b1: tensor<256xf32>,
    %l4.mlp.w2: tensor<256x64xf32>,
    %l4.mlp.b2: tensor<64xf32>,
    %l5.ln1.gamma: tensor<64xf32>,
    %l5.ln1.beta: tensor<64xf32>,
    %l5.attn.wq: tensor<64x64xf32>,
    %l5.attn.wk: tensor<64x64xf32>,
    %l5.attn.wv: tensor<64x64xf32>,
    %l5.attn.wo: tensor<64x64xf32>,
    %l5.ln2.gamma: tensor<64xf32>,
    %l5.ln2.beta: tensor<64xf32>,
    %l5.mlp.w1: tensor<64x256xf32>,
    %l5.mlp.b1: tensor<256xf32>,
    %l5.mlp.w2: tensor<256x64xf32>,
    %l5.mlp.b2: tensor<64xf32>,
    %head.ln.gamma: tensor<64xf32>,
    %head.ln.beta: tensor<64xf32>,
    %head.w: tensor<64x32xf32>
  ) -> (
    tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>,
    tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x256xf32>, tensor<256xf32>,
    tensor<256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>,
    tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>,
    tensor<64x256xf32>, tensor<256xf32>, tensor<256x64xf32>, tensor<64xf32>, tensor<64xf32>,
    tensor<64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>,
    tensor<64xf32>, tensor<64xf32>, tensor<64x256xf32>, tensor<256xf32>, tensor<256x64xf32>,
    tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<64x64xf32>,
    tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x256xf32>,
    tensor<256xf32>, tensor<256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>,
    tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>,
    tensor<64xf32>, tensor<64x256xf32>, tensor<256xf32>, tensor<256x64xf32>, tensor<64xf32>,
    tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>,
    tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x256xf32>, tensor<256xf32>,
    tensor<256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x32xf32>,
    tensor<f32>
  ) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %neg_inv_d.32x64 = stablehlo.constant dense<-0.015625> : tensor<32x64xf32>
  %inv_d.32x64 = stablehlo.constant dense<0.015625> : tensor<32x64xf32>
  %eps.32x64 = stablehlo.constant dense<1.0e-5> : tensor<32x64xf32>
  %attn_scale.32x4x64x64 = stablehlo.constant dense<0.25> : tensor<32x4x64x64xf32>
  %neg_inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %one.32x4x64 = stablehlo.constant dense<1.0> : tensor<32x4x64xf32>
  %gelu_cubic.32x64x256 = stablehlo.constant dense<0.044715> : tensor<32x64x256xf32>
  %gelu_scale.32x64x256 = stablehlo.constant dense<0.7978845608028654> : tensor<32x64x256xf32>
  %half.32x64x256 = stablehlo.constant dense<0.5> : tensor<32x64x256xf32>
  %one.32x64x256 = stablehlo.constant dense<1.0> : tensor<32x64x256xf32>
  %inv_count = stablehlo.constant dense<0.00048828125> : tensor<f32>
  %one.32x64 = stablehlo.constant dense<1.0> : tensor<32x64xf32>
  %inv_count.32x64x32 = stablehlo.constant dense<0.00048828125> : tensor<32x64x32xf32>
  %lr.64x32 = stablehlo.constant dense<0.01> : tensor<64x32xf32>
  %lr.64 = stablehlo.constant dense<0.01> : tensor<64xf32>
  %lr.256x64 = stablehlo.constant dense<0.01> : tensor<256x64xf32>
  %gelu_cubic3.32x64x256 = stablehlo.constant dense<0.134145> : tensor<32x64x256xf32>
  %lr.256 = stablehlo.constant dense<0.01> : tensor<256xf32>
  %lr.64x256 = stablehlo.constant dense<0.01> : tensor<64x256xf32>
  %lr.64x64 = stablehlo.constant dense<0.01> : tensor<64x64xf32>

  // Layer 0: layer norm and attention.
  %l0.ln1.sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l0.ln1.negmean = stablehlo.multiply %l0.ln1.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l0.ln1.negmean.b = stablehlo.broadcast_in_dim %l0.ln1.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l0.ln1.centered = stablehlo.add %x, %l0.ln1.negmean.b : tensor<32x64x64xf32>
  %l0.ln1.sq = stablehlo.multiply %l0.ln1.centered, %l0.ln1.centered : tensor<32x64x64xf32>
  %l0.ln1.sq.sum = stablehlo.reduce(%l0.ln1.sq init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l0.ln1.var = stablehlo.multiply %l0.ln1.sq.sum, %inv_d.32x64 : tensor<32x64xf32>
  %l0.ln1.var.eps = stablehlo.add %l0.ln1.var, %eps.32x64 : tensor<32x64xf32>
  %l0.ln1.rstd = stablehlo.rsqrt %l0.ln1.var.eps : tensor<32x64xf32>
  %l0.ln1.rstd.b = stablehlo.broadcast_in_dim %l0.ln1.rstd, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l0.ln1.norm = stablehlo.multiply %l0.ln1.centered, %l0.ln1.rstd.b : tensor<32x64x64xf32>
  %l0.ln1.gamma.b = stablehlo.broadcast_in_dim %l0.ln1.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l0.ln1.scaled = stablehlo.multiply %l0.ln1.norm, %l0.ln1.gamma.b : tensor<32x64x64xf32>
  %l0.ln1.beta.b = stablehlo.broadcast_in_dim %l0.ln1.beta, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l0.ln1 = stablehlo.add %l0.ln1.scaled, %l0.ln1.beta.b : tensor<32x64x64xf32>
  %l0.attn.q.flat = stablehlo.dot_general %l0.ln1, %l0.attn.wq, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l0.attn.q.split = stablehlo.reshape %l0.attn.q.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l0.attn.q = stablehlo.transpose %l0.attn.q.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l0.attn.k.flat = stablehlo.dot_general %l0.ln1, %l0.attn.wk, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l0.attn.k.split = stablehlo.reshape %l0.attn.k.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l0.attn.k = stablehlo.transpose %l0.attn.k.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l0.attn.v.flat = stablehlo.dot_general %l0.ln1, %l0.attn.wv, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l0.attn.v.split = stablehlo.reshape %l0.attn.v.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l0.attn.v = stablehlo.transpose %l0.attn.v.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l0.attn.score.raw = stablehlo.dot_general %l0.attn.q, %l0.attn.k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
      : (tensor<32x4x64x16xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x64xf32>
  %l0.attn.score = stablehlo.multiply %l0.attn.score.raw, %attn_scale.32x4x64x64 : tensor<32x4x64x64xf32>
  %l0.attn.max = stablehlo.reduce(%l0.attn.score init: %neg_inf) applies stablehlo.maximum across dimensions = [3]
      : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l0.attn.negmax = stablehlo.negate %l0.attn.max : tensor<32x4x64xf32>
  %l0.attn.negmax.b = stablehlo.broadcast_in_dim %l0.attn.negmax, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l0.attn.shifted = stablehlo.add %l0.attn.score, %l0.attn.negmax.b : tensor<32x4x64x64xf32>
  %l0.attn.exp = stablehlo.exponential %l0.attn.shifted : tensor<32x4x64x64xf32>
  %l0.attn.sum = stablehlo.reduce(%l0.attn.exp init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l0.attn.invsum = stablehlo.divide %one.32x4x64, %l0.attn.sum : tensor<32x4x64xf32>
  %l0.attn.invsum.b = stablehlo.broadcast_in_dim %l0.attn.invsum, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l0.attn.prob = stablehlo.multiply %l0.attn.exp, %l0.attn.invsum.b : tensor<32x4x64x64xf32>
  %l0.attn.context.heads = stablehlo.dot_general %l0.attn.prob, %l0.attn.v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l0.attn.context.merged = stablehlo.transpose %l0.attn.context.heads, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l0.attn.context = stablehlo.reshape %l0.attn.context.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l0.attn.out = stablehlo.dot_general %l0.attn.context, %l0.attn.wo, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l0.attn.residual = stablehlo.add %x, %l0.attn.out : tensor<32x64x64xf32>

  // Layer 0: layer norm and MLP.
  %l0.ln2.sum = stablehlo.reduce(%l0.attn.residual init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l0.ln2.negmean = stablehlo.multiply %l0.ln2.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l0.ln2.negmean.b = stablehlo.broadcast_in_dim %l0.ln2.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l0.ln2.centered = stablehlo.add %l0.attn.residual, %l0.ln2.negmean.b : tensor<32x64x64xf32>
  %l0.ln2.sq = stablehlo.multiply %l0.ln2.centered, %l0.ln2.centered : tensor<32x64x64xf32>
  %l0.ln2.sq.sum = stablehlo.reduce(%l0.ln2.sq init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l0.ln2.var = stablehlo.multiply %l0.ln2.sq.sum, %inv_d.32x64 : tensor<32x64xf32>
  %l0.ln2.var.eps = stablehlo.add %l0.ln2.var, %eps.32x64 : tensor<32x64xf32>
  %l0.ln2.rstd = stablehlo.rsqrt %l0.ln2.var.eps : tensor<32x64xf32>
  %l0.ln2.rstd.b = stablehlo.broadcast_in_dim %l0.ln2.rstd, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l0.ln2.norm = stablehlo.multiply %l0.ln2.centered, %l0.ln2.rstd.b : tensor<32x64x64xf32>
  %l0.ln2.gamma.b = stablehlo.broadcast_in_dim %l0.ln2.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l0.ln2.scaled = stablehlo.multiply %l0.ln2.norm, %l0.ln2.gamma.b : tensor<32x64x64xf32>
  %l0.ln2.beta.b = stablehlo.broadcast_in_dim %l0.ln2.beta, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l0.ln2 = stablehlo.add %l0.ln2.scaled, %l0.ln2.beta.b : tensor<32x64x64xf32>
  %l0.mlp.dot1 = stablehlo.dot_general %l0.ln2, %l0.mlp.w1, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x256xf32>) -> tensor<32x64x256xf32>
  %l0.mlp.b1.b = stablehlo.broadcast_in_dim %l0.mlp.b1, dims = [2] : (tensor<256xf32>) -> tensor<32x64x256xf32>
  %l0.mlp.pre = stablehlo.add %l0.mlp.dot1, %l0.mlp.b1.b : tensor<32x64x256xf32>
  %l0.mlp.gelu.sq = stablehlo.multiply %l0.mlp.pre, %l0.mlp.pre : tensor<32x64x256xf32>
  %l0.mlp.gelu.cube = stablehlo.multiply %l0.mlp.gelu.sq, %l0.mlp.pre : tensor<32x64x256xf32>
  %l0.mlp.gelu.cube.scaled = stablehlo.multiply %l0.mlp.gelu.cube, %gelu_cubic.32x64x256 : tensor<32x64x256xf32>
  %l0.mlp.gelu.poly = stablehlo.add %l0.mlp.pre, %l0.mlp.gelu.cube.scaled : tensor<32x64x256xf32>
  %l0.mlp.gelu.arg = stablehlo.multiply %l0.mlp.gelu.poly, %gelu_scale.32x64x256 : tensor<32x64x256xf32>
  %l0.mlp.gelu.tanh = stablehlo.tanh %l0.mlp.gelu.arg : tensor<32x64x256xf32>
  %l0.mlp.gelu.half = stablehlo.multiply %l0.mlp.pre, %half.32x64x256 : tensor<32x64x256xf32>
  %l0.mlp.gelu.gate = stablehlo.add %l0.mlp.gelu.tanh, %one.32x64x256 : tensor<32x64x256xf32>
  %l0.mlp.gelu = stablehlo.multiply %l0.mlp.gelu.half, %l0.mlp.gelu.gate : tensor<32x64x256xf32>
  %l0.mlp.dot2 = stablehlo.dot_general %l0.mlp.gelu, %l0.mlp.w2, contracting_dims = [2] x [0] : (tensor<32x64x256xf32>, tensor<256x64xf32>) -> tensor<32x64x64xf32>
  %l0.mlp.b2.b = stablehlo.broadcast_in_dim %l0.mlp.b2, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l0.mlp.out = stablehlo.add %l0.mlp.dot2, %l0.mlp.b2.b : tensor<32x64x64xf32>
  %l0.out = stablehlo.add %l0.attn.residual, %l0.mlp.out : tensor<32x64x64xf32>

  // Layer 1: layer norm and attention.
  %l1.ln1.sum = stablehlo.reduce(%l0.out init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l1.ln1.negmean = stablehlo.multiply %l1.ln1.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l1.ln1.negmean.b = stablehlo.broadcast_in_dim %l1.ln1.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l1.ln1.centered = stablehlo.add %l0.out, %l1.ln1.negmean.b : tensor<32x64x64xf32>
  %l1.ln1.sq = stablehlo.multiply %l1.ln1.centered, %l1.ln1.centered : tensor<32x64x64xf32>
  %l1.ln1.sq.sum = stablehlo.reduce(%l1.ln1.sq init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l1.ln1.var = stablehlo.multiply %l1.ln1.sq.sum, %inv_d.32x64 : tensor<32x64xf32>
  %l1.ln1.var.eps = stablehlo.add %l1.ln1.var, %eps.32x64 : tensor<32x64xf32>
  %l1.ln1.rstd = stablehlo.rsqrt %l1.ln1.var.eps : tensor<32x64xf32>
  %l1.ln1.rstd.b = stablehlo.broadcast_in_dim %l1.ln1.rstd, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l1.ln1.norm = stablehlo.multiply %l1.ln1.centered, %l1.ln1.rstd.b : tensor<32x64x64xf32>
  %l1.ln1.gamma.b = stablehlo.broadcast_in_dim %l1.ln1.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l1.ln1.scaled = stablehlo.multiply %l1.ln1.norm, %l1.ln1.gamma.b : tensor<32x64x64xf32>
  %l1.ln1.beta.b = stablehlo.broadcast_in_dim %l1.ln1.beta, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l1.ln1 = stablehlo.add %l1.ln1.scaled, %l1.ln1.beta.b : tensor<32x64x64xf32>
  %l1.attn.q.flat = stablehlo.dot_general %l1.ln1, %l1.attn.wq, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l1.attn.q.split = stablehlo.reshape %l1.attn.q.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l1.attn.q = stablehlo.transpose %l1.attn.q.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l1.attn.k.flat = stablehlo.dot_general %l1.ln1, %l1.attn.wk, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l1.attn.k.split = stablehlo.reshape %l1.attn.k.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l1.attn.k = stablehlo.transpose %l1.attn.k.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l1.attn.v.flat = stablehlo.dot_general %l1.ln1, %l1.attn.wv, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l1.attn.v.split = stablehlo.reshape %l1.attn.v.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l1.attn.v = stablehlo.transpose %l1.attn.v.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l1.attn.score.raw = stablehlo.dot_general %l1.attn.q, %l1.attn.k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
      : (tensor<32x4x64x16xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x64xf32>
  %l1.attn.score = stablehlo.multiply %l1.attn.score.raw, %attn_scale.32x4x64x64 : tensor<32x4x64x64xf32>
  %l1.attn.max = stablehlo.reduce(%l1.attn.score init: %neg_inf) applies stablehlo.maximum across dimensions = [3]
      : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l1.attn.negmax = stablehlo.negate %l1.attn.max : tensor<32x4x64xf32>
  %l1.attn.negmax.b = stablehlo.broadcast_in_dim %l1.attn.negmax, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l1.attn.shifted = stablehlo.add %l1.attn.score, %l1.attn.negmax.b : tensor<32x4x64x64xf32>
  %l1.attn.exp = stablehlo.exponential %l1.attn.shifted : tensor<32x4x64x64xf32>
  %l1.attn.sum = stablehlo.reduce(%l1.attn.exp init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l1.attn.invsum = stablehlo.divide %one.32x4x64, %l1.attn.sum : tensor<32x4x64xf32>
  %l1.attn.invsum.b = stablehlo.broadcast_in_dim %l1.attn.invsum, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l1.attn.prob = stablehlo.multiply %l1.attn.exp, %l1.attn.invsum.b : tensor<32x4x64x64xf32>
  %l1.attn.context.heads = stablehlo.dot_general %l1.attn.prob, %l1.attn.v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l1.attn.context.merged = stablehlo.transpose %l1.attn.context.heads, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l1.attn.context = stablehlo.reshape %l1.attn.context.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l1.attn.out = stablehlo.dot_general %l1.attn.context, %l1.attn.wo, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l1.attn.residual = stablehlo.add %l0.out, %l1.attn.out : tensor<32x64x64xf32>

  // Layer 1: layer norm and MLP.
  %l1.ln2.sum = stablehlo.reduce(%l1.attn.residual init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l1.ln2.negmean = stablehlo.multiply %l1.ln2.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l1.ln2.negmean.b = stablehlo.broadcast_in_dim %l1.ln2.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l1.ln2.centered = stablehlo.add %l1.attn.residual, %l1.ln2.negmean.b : tensor<32x64x64xf32>
  %l1.ln2.sq = stablehlo.multiply %l1.ln2.centered, %l1.ln2.centered : tensor<32x64x64xf32>
  %l1.ln2.sq.sum = stablehlo.reduce(%l1.ln2.sq init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l1.ln2.var = stablehlo.multiply %l1.ln2.sq.sum, %inv_d.32x64 : tensor<32x64xf32>
  %l1.ln2.var.eps = stablehlo.add %l1.ln2.var, %eps.32x64 : tensor<32x64xf32>
  %l1.ln2.rstd = stablehlo.rsqrt %l1.ln2.var.eps : tensor<32x64xf32>
  %l1.ln2.rstd.b = stablehlo.broadcast_in_dim %l1.ln2.rstd, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l1.ln2.norm = stablehlo.multiply %l1.ln2.centered, %l1.ln2.rstd.b : tensor<32x64x64xf32>
  %l1.ln2.gamma.b = stablehlo.broadcast_in_dim %l1.ln2.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l1.ln2.scaled = stablehlo.multiply %l1.ln2.norm, %l1.ln2.gamma.b : tensor<32x64x64xf32>
  %l1.ln2.beta.b = stablehlo.broadcast_in_dim %l1.ln2.beta, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l1.ln2 = stablehlo.add %l1.ln2.scaled, %l1.ln2.beta.b : tensor<32x64x64xf32>
  %l1.mlp.dot1 = stablehlo.dot_general %l1.ln2, %l1.mlp.w1, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x256xf32>) -> tensor<32x64x256xf32>
  %l1.mlp.b1.b = stablehlo.broadcast_in_dim %l1.mlp.b1, dims = [2] : (tensor<256xf32>) -> tensor<32x64x256xf32>
  %l1.mlp.pre = stablehlo.add %l1.mlp.dot1, %l1.mlp.b1.b : tensor<32x64x256xf32>
  %l1.mlp.gelu.sq = stablehlo.multiply %l1.mlp.pre, %l1.mlp.pre : tensor<32x64x256xf32>
  %l1.mlp.gelu.cube = stablehlo.multiply %l1.mlp.gelu.sq, %l1.mlp.pre : tensor<32x64x256xf32>
  %l1.mlp.gelu.cube.scaled = stablehlo.multiply %l1.mlp.gelu.cube, %gelu_cubic.32x64x256 : tensor<32x64x256xf32>
  %l1.mlp.gelu.poly = stablehlo.add %l1.mlp.pre, %l1.mlp.gelu.cube.scaled : tensor<32x64x256xf32>
  %l1.mlp.gelu.arg = stablehlo.multiply %l1.mlp.gelu.poly, %gelu_scale.32x64x256 : tensor<32x64x256xf32>
  %l1.mlp.gelu.tanh = stablehlo.tanh %l1.mlp.gelu.arg : tensor<32x64x256xf32>
  %l1.mlp.gelu.half = stablehlo.multiply %l1.mlp.pre, %half.32x64x256 : tensor<32x64x256xf32>
  %l1.mlp.gelu.gate = stablehlo.add %l1.mlp.gelu.tanh, %one.32x64x256 : tensor<32x64x256xf32>
  %l1.mlp.gelu = stablehlo.multiply %l1.mlp.gelu.half, %l1.mlp.gelu.gate : tensor<32x64x256xf32>
  %l1.mlp.dot2 = stablehlo.dot_general %l1.mlp.gelu, %l1.mlp.w2, contracting_dims = [2] x [0] : (tensor<32x64x256xf32>, tensor<256x64xf32>) -> tensor<32x64x64xf32>
  %l1.mlp.b2.b = stablehlo.broadcast_in_dim %l1.mlp.b2, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l1.mlp.out = stablehlo.add %l1.mlp.dot2, %l1.mlp.b2.b : tensor<32x64x64xf32>
  %l1.out = stablehlo.add %l1.attn.residual, %l1.mlp.out : tensor<32x64x64xf32>

  // Layer 2: layer norm and attention.
  %l2.ln1.sum = stablehlo.reduce(%l1.out init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l2.ln1.negmean = stablehlo.multiply %l2.ln1.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l2.ln1.negmean.b = stablehlo.broadcast_in_dim %l2.ln1.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l2.ln1.centered = stablehlo.add %l1.out, %l2.ln1.negmean.b : tensor<32x64x64xf32>
  %l2.ln1.sq = stablehlo.multiply %l2.ln1.centered, %l2.ln1.centered : tensor<32x64x64xf32>
  %l2.ln1.sq.sum = stablehlo.reduce(%l2.ln1.sq init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l2.ln1.var = stablehlo.multiply %l2.ln1.sq.sum, %inv_d.32x64 : tensor<32x64xf32>
  %l2.ln1.var.eps = stablehlo.add %l2.ln1.var, %eps.32x64 : tensor<32x64xf32>
  %l2.ln1.rstd = stablehlo.rsqrt %l2.ln1.var.eps : tensor<32x64xf32>
  %l2.ln1.rstd.b = stablehlo.broadcast_in_dim %l2.ln1.rstd, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l2.ln1.norm = stablehlo.multiply %l2.ln1.centered, %l2.ln1.rstd.b : tensor<32x64x64xf32>
  %l2.ln1.gamma.b = stablehlo.broadcast_in_dim %l2.ln1.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l2.ln1.scaled = stablehlo.multiply %l2.ln1.norm, %l2.ln1.gamma.b : tensor<32x64x64xf32>
  %l2.ln1.beta.b = stablehlo.broadcast_in_dim %l2.ln1.beta, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l2.ln1 = stablehlo.add %l2.ln1.scaled, %l2.ln1.beta.b : tensor<32x64x64xf32>
  %l2.attn.q.flat = stablehlo.dot_general %l2.ln1, %l2.attn.wq, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l2.attn.q.split = stablehlo.reshape %l2.attn.q.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l2.attn.q = stablehlo.transpose %l2.attn.q.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l2.attn.k.flat = stablehlo.dot_general %l2.ln1, %l2.attn.wk, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l2.attn.k.split = stablehlo.reshape %l2.attn.k.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l2.attn.k = stablehlo.transpose %l2.attn.k.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l2.attn.v.flat = stablehlo.dot_general %l2.ln1, %l2.attn.wv, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l2.attn.v.split = stablehlo.reshape %l2.attn.v.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l2.attn.v = stablehlo.transpose %l2.attn.v.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l2.attn.score.raw = stablehlo.dot_general %l2.attn.q, %l2.attn.k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
      : (tensor<32x4x64x16xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x64xf32>
  %l2.attn.score = stablehlo.multiply %l2.attn.score.raw, %attn_scale.32x4x64x64 : tensor<32x4x64x64xf32>
  %l2.attn.max = stablehlo.reduce(%l2.attn.score init: %neg_inf) applies stablehlo.maximum across dimensions = [3]
      : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l2.attn.negmax = stablehlo.negate %l2.attn.max : tensor<32x4x64xf32>
  %l2.attn.negmax.b = stablehlo.broadcast_in_dim %l2.attn.negmax, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l2.attn.shifted = stablehlo.add %l2.attn.score, %l2.attn.negmax.b : tensor<32x4x64x64xf32>
  %l2.attn.exp = stablehlo.exponential %l2.attn.shifted : tensor<32x4x64x64xf32>
  %l2.attn.sum = stablehlo.reduce(%l2.attn.exp init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l2.attn.invsum = stablehlo.divide %one.32x4x64, %l2.attn.sum : tensor<32x4x64xf32>
  %l2.attn.invsum.b = stablehlo.broadcast_in_dim %l2.attn.invsum, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l2.attn.prob = stablehlo.multiply %l2.attn.exp, %l2.attn.invsum.b : tensor<32x4x64x64xf32>
  %l2.attn.context.heads = stablehlo.dot_general %l2.attn.prob, %l2.attn.v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l2.attn.context.merged = stablehlo.transpose %l2.attn.context.heads, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l2.attn.context = stablehlo.reshape %l2.attn.context.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l2.attn.out = stablehlo.dot_general %l2.attn.context, %l2.attn.wo, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l2.attn.residual = stablehlo.add %l1.out, %l2.attn.out : tensor<32x64x64xf32>

  // Layer 2: layer norm and MLP.
  %l2.ln2.sum = stablehlo.reduce(%l2.attn.residual init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l2.ln2.negmean = stablehlo.multiply %l2.ln2.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l2.ln2.negmean.b = stablehlo.broadcast_in_dim %l2.ln2.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l2.ln2.centered = stablehlo.add %l2.attn.residual, %l2.ln2.negmean.b : tensor<32x64x64xf32>
  %l2.ln2.sq = stablehlo.multiply %l2.ln2.centered, %l2.ln2.centered : tensor<32x64x64xf32>
  %l2.ln2.sq.sum = stablehlo.reduce(%l2.ln2.sq init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l2.ln2.var = stablehlo.multiply %l2.ln2.sq.sum, %inv_d.32x64 : tensor<32x64xf32>
  %l2.ln2.var.eps = stablehlo.add %l2.ln2.var, %eps.32x64 : tensor<32x64xf32>
  %l2.ln2.rstd = stablehlo.rsqrt %l2.ln2.var.eps : tensor<32x64xf32>
  %l2.ln2.rstd.b = stablehlo.broadcast_in_dim %l2.ln2.rstd, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l2.ln2.norm = stablehlo.multiply %l2.ln2.centered, %l2.ln2.rstd.b : tensor<32x64x64xf32>
  %l2.ln2.gamma.b = stablehlo.broadcast_in_dim %l2.ln2.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l2.ln2.scaled = stablehlo.multiply %l2.ln2.norm, %l2.ln2.gamma.b : tensor<32x64x64xf32>
  %l2.ln2.beta.b = stablehlo.broadcast_in_dim %l2.ln2.beta, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l2.ln2 = stablehlo.add %l2.ln2.scaled, %l2.ln2.beta.b : tensor<32x64x64xf32>
  %l2.mlp.dot1 = stablehlo.dot_general %l2.ln2, %l2.mlp.w1, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x256xf32>) -> tensor<32x64x256xf32>
  %l2.mlp.b1.b = stablehlo.broadcast_in_dim %l2.mlp.b1, dims = [2] : (tensor<256xf32>) -> tensor<32x64x256xf32>
  %l2.mlp.pre = stablehlo.add %l2.mlp.dot1, %l2.mlp.b1.b : tensor<32x64x256xf32>
  %l2.mlp.gelu.sq = stablehlo.multiply %l2.mlp.pre, %l2.mlp.pre : tensor<32x64x256xf32>
  %l2.mlp.gelu.cube = stablehlo.multiply %l2.mlp.gelu.sq, %l2.mlp.pre : tensor<32x64x256xf32>
  %l2.mlp.gelu.cube.scaled = stablehlo.multiply %l2.mlp.gelu.cube, %gelu_cubic.32x64x256 : tensor<32x64x256xf32>
  %l2.mlp.gelu.poly = stablehlo.add %l2.mlp.pre, %l2.mlp.gelu.cube.scaled : tensor<32x64x256xf32>
  %l2.mlp.gelu.arg = stablehlo.multiply %l2.mlp.gelu.poly, %gelu_scale.32x64x256 : tensor<32x64x256xf32>
  %l2.mlp.gelu.tanh = stablehlo.tanh %l2.mlp.gelu.arg : tensor<32x64x256xf32>
  %l2.mlp.gelu.half = stablehlo.multiply %l2.mlp.pre, %half.32x64x256 : tensor<32x64x256xf32>
  %l2.mlp.gelu.gate = stablehlo.add %l2.mlp.gelu.tanh, %one.32x64x256 : tensor<32x64x256xf32>
  %l2.mlp.gelu = stablehlo.multiply %l2.mlp.gelu.half, %l2.mlp.gelu.gate : tensor<32x64x256xf32>
  %l2.mlp.dot2 = stablehlo.dot_general %l2.mlp.gelu, %l2.mlp.w2, contracting_dims = [2] x [0] : (tensor<32x64x256xf32>, tensor<256x64xf32>) -> tensor<32x64x64xf32>
  %l2.mlp.b2.b = stablehlo.broadcast_in_dim %l2.mlp.b2, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l2.mlp.out = stablehlo.add %l2.mlp.dot2, %l2.mlp.b2.b : tensor<32x64x64xf32>
  %l2.out = stablehlo.add %l2.attn.residual, %l2.mlp.out : tensor<32x64x64xf32>

  // Layer 3: layer norm and attention.
  %l3.ln1.sum = stablehlo.reduce(%l2.out init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l3.ln1.negmean = stablehlo.multiply %l3.ln1.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l3.ln1.negmean.b = stablehlo.broadcast_in_dim %l3.ln1.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l3.ln1.centered = stablehlo.add %l2.out, %l3.ln1.negmean.b : tensor<32x64x64xf32>
  %l3.ln1.sq = stablehlo.multiply %l3.ln1.centered, %l3.ln1.centered : tensor<32x64x64xf32>
  %l3.ln1.sq.sum = stablehlo.reduce(%l3.ln1.sq init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l3.ln1.var = stablehlo.multiply %l3.ln1.sq.sum, %inv_d.32x64 : tensor<32x64xf32>
  %l3.ln1.var.eps = stablehlo.add %l3.ln1.var, %eps.32x64 : tensor<32x64xf32>
  %l3.ln1.rstd = stablehlo.rsqrt %l3.ln1.var.eps : tensor<32x64xf32>
  %l3.ln1.rstd.b = stablehlo.broadcast_in_dim %l3.ln1.rstd, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l3.ln1.norm = stablehlo.multiply %l3.ln1.centered, %l3.ln1.rstd.b : tensor<32x64x64xf32>
  %l3.ln1.gamma.b = stablehlo.broadcast_in_dim %l3.ln1.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l3.ln1.scaled = stablehlo.multiply %l3.ln1.norm, %l3.ln1.gamma.b : tensor<32x64x64xf32>
  %l3.ln1.beta.b = stablehlo.broadcast_in_dim %l3.ln1.beta, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l3.ln1 = stablehlo.add %l3.ln1.scaled, %l3.ln1.beta.b : tensor<32x64x64xf32>
  %l3.attn.q.flat = stablehlo.dot_general %l3.ln1, %l3.attn.wq, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l3.attn.q.split = stablehlo.reshape %l3.attn.q.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l3.attn.q = stablehlo.transpose %l3.attn.q.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l3.attn.k.flat = stablehlo.dot_general %l3.ln1, %l3.attn.wk, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l3.attn.k.split = stablehlo.reshape %l3.attn.k.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l3.attn.k = stablehlo.transpose %l3.attn.k.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l3.attn.v.flat = stablehlo.dot_general %l3.ln1, %l3.attn.wv, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l3.attn.v.split = stablehlo.reshape %l3.attn.v.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l3.attn.v = stablehlo.transpose %l3.attn.v.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l3.attn.score.raw = stablehlo.dot_general %l3.attn.q, %l3.attn.k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
      : (tensor<32x4x64x16xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x64xf32>
  %l3.attn.score = stablehlo.multiply %l3.attn.score.raw, %attn_scale.32x4x64x64 : tensor<32x4x64x64xf32>
  %l3.attn.max = stablehlo.reduce(%l3.attn.score init: %neg_inf) applies stablehlo.maximum across dimensions = [3]
      : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l3.attn.negmax = stablehlo.negate %l3.attn.max : tensor<32x4x64xf32>
  %l3.attn.negmax.b = stablehlo.broadcast_in_dim %l3.attn.negmax, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l3.attn.shifted = stablehlo.add %l3.attn.score, %l3.attn.negmax.b : tensor<32x4x64x64xf32>
  %l3.attn.exp = stablehlo.exponential %l3.attn.shifted : tensor<32x4x64x64xf32>
  %l3.attn.sum = stablehlo.reduce(%l3.attn.exp init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l3.attn.invsum = stablehlo.divide %one.32x4x64, %l3.attn.sum : tensor<32x4x64xf32>
  %l3.attn.invsum.b = stablehlo.broadcast_in_dim %l3.attn.invsum, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l3.attn.prob = stablehlo.multiply %l3.attn.exp, %l3.attn.invsum.b : tensor<32x4x64x64xf32>
  %l3.attn.context.heads = stablehlo.dot_general %l3.attn.prob, %l3.attn.v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l3.attn.context.merged = stablehlo.transpose %l3.attn.context.heads, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l3.attn.context = stablehlo.reshape %l3.attn.context.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l3.attn.out = stablehlo.dot_general %l3.attn.context, %l3.attn.wo, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l3.attn.residual = stablehlo.add %l2.out, %l3.attn.out : tensor<32x64x64xf32>

  // Layer 3: layer norm and MLP.
  %l3.ln2.sum = stablehlo.reduce(%l3.attn.residual init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l3.ln2.negmean = stablehlo.multiply %l3.ln2.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l3.ln2.negmean.b = stablehlo.broadcast_in_dim %l3.ln2.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l3.ln2.centered = stablehlo.add %l3.attn.residual, %l3.ln2.negmean.b : tensor<32x64x64xf32>
  %l3.ln2.sq = stablehlo.multiply %l3.ln2.centered, %l3.ln2.centered : tensor<32x64x64xf32>
  %l3.ln2.sq.sum = stablehlo.reduce(%l3.ln2.sq init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l3.ln2.var = stablehlo.multiply %l3.ln2.sq.sum, %inv_d.32x64 : tensor<32x64xf32>
  %l3.ln2.var.eps = stablehlo.add %l3.ln2.var, %eps.32x64 : tensor<32x64xf32>
  %l3.ln2.rstd = stablehlo.rsqrt %l3.ln2.var.eps : tensor<32x64xf32>
  %l3.ln2.rstd.b = stablehlo.broadcast_in_dim %l3.ln2.rstd, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l3.ln2.norm = stablehlo.multiply %l3.ln2.centered, %l3.ln2.rstd.b : tensor<32x64x64xf32>
  %l3.ln2.gamma.b = stablehlo.broadcast_in_dim %l3.ln2.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l3.ln2.scaled = stablehlo.multiply %l3.ln2.norm, %l3.ln2.gamma.b : tensor<32x64x64xf32>
  %l3.ln2.beta.b = stablehlo.broadcast_in_dim %l3.ln2.beta, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l3.ln2 = stablehlo.add %l3.ln2.scaled, %l3.ln2.beta.b : tensor<32x64x64xf32>
  %l3.mlp.dot1 = stablehlo.dot_general %l3.ln2, %l3.mlp.w1, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x256xf32>) -> tensor<32x64x256xf32>
  %l3.mlp.b1.b = stablehlo.broadcast_in_dim %l3.mlp.b1, dims = [2] : (tensor<256xf32>) -> tensor<32x64x256xf32>
  %l3.mlp.pre = stablehlo.add %l3.mlp.dot1, %l3.mlp.b1.b : tensor<32x64x256xf32>
  %l3.mlp.gelu.sq = stablehlo.multiply %l3.mlp.pre, %l3.mlp.pre : tensor<32x64x256xf32>
  %l3.mlp.gelu.cube = stablehlo.multiply %l3.mlp.gelu.sq, %l3.mlp.pre : tensor<32x64x256xf32>
  %l3.mlp.gelu.cube.scaled = stablehlo.multiply %l3.mlp.gelu.cube, %gelu_cubic.32x64x256 : tensor<32x64x256xf32>
  %l3.mlp.gelu.poly = stablehlo.add %l3.mlp.pre, %l3.mlp.gelu.cube.scaled : tensor<32x64x256xf32>
  %l3.mlp.gelu.arg = stablehlo.multiply %l3.mlp.gelu.poly, %gelu_scale.32x64x256 : tensor<32x64x256xf32>
  %l3.mlp.gelu.tanh = stablehlo.tanh %l3.mlp.gelu.arg : tensor<32x64x256xf32>
  %l3.mlp.gelu.half = stablehlo.multiply %l3.mlp.pre, %half.32x64x256 : tensor<32x64x256xf32>
  %l3.mlp.gelu.gate = stablehlo.add %l3.mlp.gelu.tanh, %one.32x64x256 : tensor<32x64x256xf32>
  %l3.mlp.gelu = stablehlo.multiply %l3.mlp.gelu.half, %l3.mlp.gelu.gate : tensor<32x64x256xf32>
  %l3.mlp.dot2 = stablehlo.dot_general %l3.mlp.gelu, %l3.mlp.w2, contracting_dims = [2] x [0] : (tensor<32x64x256xf32>, tensor<256x64xf32>) -> tensor<32x64x64xf32>
  %l3.mlp.b2.b = stablehlo.broadcast_in_dim %l3.mlp.b2, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l3.mlp.out = stablehlo.add %l3.mlp.dot2, %l3.mlp.b2.b : tensor<32x64x64xf32>
  %l3.out = stablehlo.add %l3.attn.residual, %l3.mlp.out : tensor<32x64x64xf32>

  // Layer 4: layer norm and attention.
  %l4.ln1.sum = stablehlo.reduce(%l3.out init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l4.ln1.negmean = stablehlo.multiply %l4.ln1.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l4.ln1.negmean.b = stablehlo.broadcast_in_dim %l4.ln1.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l4.ln1.centered = stablehlo.add %l3.out, %l4.ln1.negmean.b : tensor<32x64x64xf32>
  %l4.ln1.sq = stablehlo.multiply %l4.ln1.centered, %l4.ln1.centered : tensor<32x64x64xf32>
  %l4.ln1.sq.sum = stablehlo.reduce(%l4.ln1.sq init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l4.ln1.var = stablehlo.multiply %l4.ln1.sq.sum, %inv_d.32x64 : tensor<32x64xf32>
  %l4.ln1.var.eps = stablehlo.add %l4.ln1.var, %eps.32x64 : tensor<32x64xf32>
  %l4.ln1.rstd = stablehlo.rsqrt %l4.ln1.var.eps : tensor<32x64xf32>
  %l4.ln1.rstd.b = stablehlo.broadcast_in_dim %l4.ln1.rstd, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l4.ln1.norm = stablehlo.multiply %l4.ln1.centered, %l4.ln1.rstd.b : tensor<32x64x64xf32>
  %l4.ln1.gamma.b = stablehlo.broadcast_in_dim %l4.ln1.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l4.ln1.scaled = stablehlo.multiply %l4.ln1.norm, %l4.ln1.gamma.b : tensor<32x64x64xf32>
  %l4.ln1.beta.b = stablehlo.broadcast_in_dim %l4.ln1.beta, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l4.ln1 = stablehlo.add %l4.ln1.scaled, %l4.ln1.beta.b : tensor<32x64x64xf32>
  %l4.attn.q.flat = stablehlo.dot_general %l4.ln1, %l4.attn.wq, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l4.attn.q.split = stablehlo.reshape %l4.attn.q.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l4.attn.q = stablehlo.transpose %l4.attn.q.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l4.attn.k.flat = stablehlo.dot_general %l4.ln1, %l4.attn.wk, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l4.attn.k.split = stablehlo.reshape %l4.attn.k.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l4.attn.k = stablehlo.transpose %l4.attn.k.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l4.attn.v.flat = stablehlo.dot_general %l4.ln1, %l4.attn.wv, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l4.attn.v.split = stablehlo.reshape %l4.attn.v.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l4.attn.v = stablehlo.transpose %l4.attn.v.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l4.attn.score.raw = stablehlo.dot_general %l4.attn.q, %l4.attn.k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
      : (tensor<32x4x64x16xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x64xf32>
  %l4.attn.score = stablehlo.multiply %l4.attn.score.raw, %attn_scale.32x4x64x64 : tensor<32x4x64x64xf32>
  %l4.attn.max = stablehlo.reduce(%l4.attn.score init: %neg_inf) applies stablehlo.maximum across dimensions = [3]
      : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l4.attn.negmax = stablehlo.negate %l4.attn.max : tensor<32x4x64xf32>
  %l4.attn.negmax.b = stablehlo.broadcast_in_dim %l4.attn.negmax, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l4.attn.shifted = stablehlo.add %l4.attn.score, %l4.attn.negmax.b : tensor<32x4x64x64xf32>
  %l4.attn.exp = stablehlo.exponential %l4.attn.shifted : tensor<32x4x64x64xf32>
  %l4.attn.sum = stablehlo.reduce(%l4.attn.exp init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l4.attn.invsum = stablehlo.divide %one.32x4x64, %l4.attn.sum : tensor<32x4x64xf32>
  %l4.attn.invsum.b = stablehlo.broadcast_in_dim %l4.attn.invsum, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l4.attn.prob = stablehlo.multiply %l4.attn.exp, %l4.attn.invsum.b : tensor<32x4x64x64xf32>
  %l4.attn.context.heads = stablehlo.dot_general %l4.attn.prob, %l4.attn.v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l4.attn.context.merged = stablehlo.transpose %l4.attn.context.heads, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l4.attn.context = stablehlo.reshape %l4.attn.context.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l4.attn.out = stablehlo.dot_general %l4.attn.context, %l4.attn.wo, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l4.attn.residual = stablehlo.add %l3.out, %l4.attn.out : tensor<32x64x64xf32>

  // Layer 4: layer norm and MLP.
  %l4.ln2.sum = stablehlo.reduce(%l4.attn.residual init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l4.ln2.negmean = stablehlo.multiply %l4.ln2.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l4.ln2.negmean.b = stablehlo.broadcast_in_dim %l4.ln2.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l4.ln2.centered = stablehlo.add %l4.attn.residual, %l4.ln2.negmean.b : tensor<32x64x64xf32>
  %l4.ln2.sq = stablehlo.multiply %l4.ln2.centered, %l4.ln2.centered : tensor<32x64x64xf32>
  %l4.ln2.sq.sum = stablehlo.reduce(%l4.ln2.sq init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l4.ln2.var = stablehlo.multiply %l4.ln2.sq.sum, %inv_d.32x64 : tensor<32x64xf32>
  %l4.ln2.var.eps = stablehlo.add %l4.ln2.var, %eps.32x64 : tensor<32x64xf32>
  %l4.ln2.rstd = stablehlo.rsqrt %l4.ln2.var.eps : tensor<32x64xf32>
  %l4.ln2.rstd.b = stablehlo.broadcast_in_dim %l4.ln2.rstd, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l4.ln2.norm = stablehlo.multiply %l4.ln2.centered, %l4.ln2.rstd.b : tensor<32x64x64xf32>
  %l4.ln2.gamma.b = stablehlo.broadcast_in_dim %l4.ln2.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l4.ln2.scaled = stablehlo.multiply %l4.ln2.norm, %l4.ln2.gamma.b : tensor<32x64x64xf32>
  %l4.ln2.beta.b = stablehlo.broadcast_in_dim %l4.ln2.beta, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l4.ln2 = stablehlo.add %l4.ln2.scaled, %l4.ln2.beta.b : tensor<32x64x64xf32>
  %l4.mlp.dot1 = stablehlo.dot_general %l4.ln2, %l4.mlp.w1, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x256xf32>) -> tensor<32x64x256xf32>
  %l4.mlp.b1.b = stablehlo.broadcast_in_dim %l4.mlp.b1, dims = [2] : (tensor<256xf32>) -> tensor<32x64x256xf32>
  %l4.mlp.pre = stablehlo.add %l4.mlp.dot1, %l4.mlp.b1.b : tensor<32x64x256xf32>
  %l4.mlp.gelu.sq = stablehlo.multiply %l4.mlp.pre, %l4.mlp.pre : tensor<32x64x256xf32>
  %l4.mlp.gelu.cube = stablehlo.multiply %l4.mlp.gelu.sq, %l4.mlp.pre : tensor<32x64x256xf32>
  %l4.mlp.gelu.cube.scaled = stablehlo.multiply %l4.mlp.gelu.cube, %gelu_cubic.32x64x256 : tensor<32x64x256xf32>
  %l4.mlp.gelu.poly = stablehlo.add %l4.mlp.pre, %l4.mlp.gelu.cube.scaled : tensor<32x64x256xf32>
  %l4.mlp.gelu.arg = stablehlo.multiply %l4.mlp.gelu.poly, %gelu_scale.32x64x256 : tensor<32x64x256xf32>
  %l4.mlp.gelu.tanh = stablehlo.tanh %l4.mlp.gelu.arg : tensor<32x64x256xf32>
  %l4.mlp.gelu.half = stablehlo.multiply %l4.mlp.pre, %half.32x64x256 : tensor<32x64x256xf32>
  %l4.mlp.gelu.gate = stablehlo.add %l4.mlp.gelu.tanh, %one.32x64x256 : tensor<32x64x256xf32>
  %l4.mlp.gelu = stablehlo.multiply %l4.mlp.gelu.half, %l4.mlp.gelu.gate : tensor<32x64x256xf32>
  %l4.mlp.dot2 = stablehlo.dot_general %l4.mlp.gelu, %l4.mlp.w2, contracting_dims = [2] x [0] : (tensor<32x64x256xf32>, tensor<256x64xf32>) -> tensor<32x64x64xf32>
  %l4.mlp.b2.b = stablehlo.broadcast_in_dim %l4.mlp.b2, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l4.mlp.out = stablehlo.add %l4.mlp.dot2, %l4.mlp.b2.b : tensor<32x64x64xf32>
  %l4.out = stablehlo.add %l4.attn.residual, %l4.mlp.out : tensor<32x64x64xf32>

  // Layer 5: layer norm and attention.
  %l5.ln1.sum = stablehlo.reduce(%l4.out init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l5.ln1.negmean = stablehlo.multiply %l5.ln1.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l5.ln1.negmean.b = stablehlo.broadcast_in_dim %l5.ln1.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l5.ln1.centered = stablehlo.add %l4.out, %l5.ln1.negmean.b : tensor<32x64x64xf32>
  %l5.ln1.sq = stablehlo.multiply %l5.ln1.centered, %l5.ln1.centered : tensor<32x64x64xf32>
  %l5.ln1.sq.sum = stablehlo.reduce(%l5.ln1.sq init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l5.ln1.var = stablehlo.multiply %l5.ln1.sq.sum, %inv_d.32x64 : tensor<32x64xf32>
  %l5.ln1.var.eps = stablehlo.add %l5.ln1.var, %eps.32x64 : tensor<32x64xf32>
  %l5.ln1.rstd = stablehlo.rsqrt %l5.ln1.var.eps : tensor<32x64xf32>
  %l5.ln1.rstd.b = stablehlo.broadcast_in_dim %l5.ln1.rstd, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l5.ln1.norm = stablehlo.multiply %l5.ln1.centered, %l5.ln1.rstd.b : tensor<32x64x64xf32>
  %l5.ln1.gamma.b = stablehlo.broadcast_in_dim %l5.ln1.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l5.ln1.scaled = stablehlo.multiply %l5.ln1.norm, %l5.ln1.gamma.b : tensor<32x64x64xf32>
  %l5.ln1.beta.b = stablehlo.broadcast_in_dim %l5.ln1.beta, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l5.ln1 = stablehlo.add %l5.ln1.scaled, %l5.ln1.beta.b : tensor<32x64x64xf32>
  %l5.attn.q.flat = stablehlo.dot_general %l5.ln1, %l5.attn.wq, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l5.attn.q.split = stablehlo.reshape %l5.attn.q.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l5.attn.q = stablehlo.transpose %l5.attn.q.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l5.attn.k.flat = stablehlo.dot_general %l5.ln1, %l5.attn.wk, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l5.attn.k.split = stablehlo.reshape %l5.attn.k.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l5.attn.k = stablehlo.transpose %l5.attn.k.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l5.attn.v.flat = stablehlo.dot_general %l5.ln1, %l5.attn.wv, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l5.attn.v.split = stablehlo.reshape %l5.attn.v.flat : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l5.attn.v = stablehlo.transpose %l5.attn.v.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l5.attn.score.raw = stablehlo.dot_general %l5.attn.q, %l5.attn.k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
      : (tensor<32x4x64x16xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x64xf32>
  %l5.attn.score = stablehlo.multiply %l5.attn.score.raw, %attn_scale.32x4x64x64 : tensor<32x4x64x64xf32>
  %l5.attn.max = stablehlo.reduce(%l5.attn.score init: %neg_inf) applies stablehlo.maximum across dimensions = [3]
      : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l5.attn.negmax = stablehlo.negate %l5.attn.max : tensor<32x4x64xf32>
  %l5.attn.negmax.b = stablehlo.broadcast_in_dim %l5.attn.negmax, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l5.attn.shifted = stablehlo.add %l5.attn.score, %l5.attn.negmax.b : tensor<32x4x64x64xf32>
  %l5.attn.exp = stablehlo.exponential %l5.attn.shifted : tensor<32x4x64x64xf32>
  %l5.attn.sum = stablehlo.reduce(%l5.attn.exp init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l5.attn.invsum = stablehlo.divide %one.32x4x64, %l5.attn.sum : tensor<32x4x64xf32>
  %l5.attn.invsum.b = stablehlo.broadcast_in_dim %l5.attn.invsum, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l5.attn.prob = stablehlo.multiply %l5.attn.exp, %l5.attn.invsum.b : tensor<32x4x64x64xf32>
  %l5.attn.context.heads = stablehlo.dot_general %l5.attn.prob, %l5.attn.v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l5.attn.context.merged = stablehlo.transpose %l5.attn.context.heads, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l5.attn.context = stablehlo.reshape %l5.attn.context.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l5.attn.out = stablehlo.dot_general %l5.attn.context, %l5.attn.wo, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l5.attn.residual = stablehlo.add %l4.out, %l5.attn.out : tensor<32x64x64xf32>

  // Layer 5: layer norm and MLP.
  %l5.ln2.sum = stablehlo.reduce(%l5.attn.residual init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l5.ln2.negmean = stablehlo.multiply %l5.ln2.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l5.ln2.negmean.b = stablehlo.broadcast_in_dim %l5.ln2.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l5.ln2.centered = stablehlo.add %l5.attn.residual, %l5.ln2.negmean.b : tensor<32x64x64xf32>
  %l5.ln2.sq = stablehlo.multiply %l5.ln2.centered, %l5.ln2.centered : tensor<32x64x64xf32>
  %l5.ln2.sq.sum = stablehlo.reduce(%l5.ln2.sq init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l5.ln2.var = stablehlo.multiply %l5.ln2.sq.sum, %inv_d.32x64 : tensor<32x64xf32>
  %l5.ln2.var.eps = stablehlo.add %l5.ln2.var, %eps.32x64 : tensor<32x64xf32>
  %l5.ln2.rstd = stablehlo.rsqrt %l5.ln2.var.eps : tensor<32x64xf32>
  %l5.ln2.rstd.b = stablehlo.broadcast_in_dim %l5.ln2.rstd, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l5.ln2.norm = stablehlo.multiply %l5.ln2.centered, %l5.ln2.rstd.b : tensor<32x64x64xf32>
  %l5.ln2.gamma.b = stablehlo.broadcast_in_dim %l5.ln2.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l5.ln2.scaled = stablehlo.multiply %l5.ln2.norm, %l5.ln2.gamma.b : tensor<32x64x64xf32>
  %l5.ln2.beta.b = stablehlo.broadcast_in_dim %l5.ln2.beta, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l5.ln2 = stablehlo.add %l5.ln2.scaled, %l5.ln2.beta.b : tensor<32x64x64xf32>
  %l5.mlp.dot1 = stablehlo.dot_general %l5.ln2, %l5.mlp.w1, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x256xf32>) -> tensor<32x64x256xf32>
  %l5.mlp.b1.b = stablehlo.broadcast_in_dim %l5.mlp.b1, dims = [2] : (tensor<256xf32>) -> tensor<32x64x256xf32>
  %l5.mlp.pre = stablehlo.add %l5.mlp.dot1, %l5.mlp.b1.b : tensor<32x64x256xf32>
  %l5.mlp.gelu.sq = stablehlo.multiply %l5.mlp.pre, %l5.mlp.pre : tensor<32x64x256xf32>
  %l5.mlp.gelu.cube = stablehlo.multiply %l5.mlp.gelu.sq, %l5.mlp.pre : tensor<32x64x256xf32>
  %l5.mlp.gelu.cube.scaled = stablehlo.multiply %l5.mlp.gelu.cube, %gelu_cubic.32x64x256 : tensor<32x64x256xf32>
  %l5.mlp.gelu.poly = stablehlo.add %l5.mlp.pre, %l5.mlp.gelu.cube.scaled : tensor<32x64x256xf32>
  %l5.mlp.gelu.arg = stablehlo.multiply %l5.mlp.gelu.poly, %gelu_scale.32x64x256 : tensor<32x64x256xf32>
  %l5.mlp.gelu.tanh = stablehlo.tanh %l5.mlp.gelu.arg : tensor<32x64x256xf32>
  %l5.mlp.gelu.half = stablehlo.multiply %l5.mlp.pre, %half.32x64x256 : tensor<32x64x256xf32>
  %l5.mlp.gelu.gate = stablehlo.add %l5.mlp.gelu.tanh, %one.32x64x256 : tensor<32x64x256xf32>
  %l5.mlp.gelu = stablehlo.multiply %l5.mlp.gelu.half, %l5.mlp.gelu.gate : tensor<32x64x256xf32>
  %l5.mlp.dot2 = stablehlo.dot_general %l5.mlp.gelu, %l5.mlp.w2, contracting_dims = [2] x [0] : (tensor<32x64x256xf32>, tensor<256x64xf32>) -> tensor<32x64x64xf32>
  %l5.mlp.b2.b = stablehlo.broadcast_in_dim %l5.mlp.b2, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l5.mlp.out = stablehlo.add %l5.mlp.dot2, %l5.mlp.b2.b : tensor<32x64x64xf32>
  %l5.out = stablehlo.add %l5.attn.residual, %l5.mlp.out : tensor<32x64x64xf32>

  // Head: layer norm and projection to the vocabulary.
  %head.ln.sum = stablehlo.reduce(%l5.out init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %head.ln.negmean = stablehlo.multiply %head.ln.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %head.ln.negmean.b = stablehlo.broadcast_in_dim %head.ln.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %head.ln.centered = stablehlo.add %l5.out, %head.ln.negmean.b : tensor<32x64x64xf32>
  %head.ln.sq = stablehlo.multiply %head.ln.centered, %head.ln.centered : tensor<32x64x64xf32>
  %head.ln.sq.sum = stablehlo.reduce(%head.ln.sq init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %head.ln.var = stablehlo.multiply %head.ln.sq.sum, %inv_d.32x64 : tensor<32x64xf32>
  %head.ln.var.eps = stablehlo.add %head.ln.var, %eps.32x64 : tensor<32x64xf32>
  %head.ln.rstd = stablehlo.rsqrt %head.ln.var.eps : tensor<32x64xf32>
  %head.ln.rstd.b = stablehlo.broadcast_in_dim %head.ln.rstd, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %head.ln.norm = stablehlo.multiply %head.ln.centered, %head.ln.rstd.b : tensor<32x64x64xf32>
  %head.ln.gamma.b = stablehlo.broadcast_in_dim %head.ln.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %head.ln.scaled = stablehlo.multiply %head.ln.norm, %head.ln.gamma.b : tensor<32x64x64xf32>
  %head.ln.beta.b = stablehlo.broadcast_in_dim %head.ln.beta, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %head.ln = stablehlo.add %head.ln.scaled, %head.ln.beta.b : tensor<32x64x64xf32>
  %logits = stablehlo.dot_general %head.ln, %head.w, contracting_dims = [2] x [0] : (tensor<32x64x64xf32>, tensor<64x32xf32>) -> tensor<32x64x32xf32>

  // Mean softmax cross-entropy over all tokens and its gradient.
  %class = stablehlo.iota dim = 2 : tensor<32x64x32xi32>
  %labels.b = stablehlo.broadcast_in_dim %labels, dims = [0, 1] : (tensor<32x64xi32>) -> tensor<32x64x32xi32>
  %onehot.mask = stablehlo.compare EQ, %labels.b, %class : (tensor<32x64x32xi32>, tensor<32x64x32xi32>) -> tensor<32x64x32xi1>
  %onehot = stablehlo.convert %onehot.mask : (tensor<32x64x32xi1>) -> tensor<32x64x32xf32>
  %xent.max = stablehlo.reduce(%logits init: %neg_inf) applies stablehlo.maximum across dimensions = [2] : (tensor<32x64x32xf32>, tensor<f32>) -> tensor<32x64xf32>
  %xent.negmax = stablehlo.negate %xent.max : tensor<32x64xf32>
  %xent.negmax.b = stablehlo.broadcast_in_dim %xent.negmax, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x32xf32>
  %xent.shifted = stablehlo.add %logits, %xent.negmax.b : tensor<32x64x32xf32>
  %xent.exp = stablehlo.exponential %xent.shifted : tensor<32x64x32xf32>
  %xent.sum = stablehlo.reduce(%xent.exp init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x64x32xf32>, tensor<f32>) -> tensor<32x64xf32>
  %xent.logsum = stablehlo.log %xent.sum : tensor<32x64xf32>
  %xent.logsum.total = stablehlo.reduce(%xent.logsum init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
  %xent.picked = stablehlo.multiply %xent.shifted, %onehot : tensor<32x64x32xf32>
  %xent.picked.total = stablehlo.reduce(%xent.picked init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<32x64x32xf32>, tensor<f32>) -> tensor<f32>
  %xent.total = stablehlo.subtract %xent.logsum.total, %xent.picked.total : tensor<f32>
  %loss = stablehlo.multiply %xent.total, %inv_count : tensor<f32>
  %xent.invsum = stablehlo.divide %one.32x64, %xent.sum : tensor<32x64xf32>
  %xent.invsum.b = stablehlo.broadcast_in_dim %xent.invsum, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x32xf32>
  %xent.prob = stablehlo.multiply %xent.exp, %xent.invsum.b : tensor<32x64x32xf32>
  %xent.diff = stablehlo.subtract %xent.prob, %onehot : tensor<32x64x32xf32>
  %logits.grad = stablehlo.multiply %xent.diff, %inv_count.32x64x32 : tensor<32x64x32xf32>

  // Head: backward and updates.
  %head.w.grad = stablehlo.dot_general %head.ln, %logits.grad, contracting_dims = [0, 1] x [0, 1] : (tensor<32x64x64xf32>, tensor<32x64x32xf32>) -> tensor<64x32xf32>
  %head.w.step = stablehlo.multiply %head.w.grad, %lr.64x32 : tensor<64x32xf32>
  %head.w.new = stablehlo.subtract %head.w, %head.w.step : tensor<64x32xf32>
  %head.ln.grad = stablehlo.dot_general %logits.grad, %head.w, contracting_dims = [2] x [1] : (tensor<32x64x32xf32>, tensor<64x32xf32>) -> tensor<32x64x64xf32>
  %head.ln.beta.grad = stablehlo.reduce(%head.ln.grad init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %head.ln.beta.step = stablehlo.multiply %head.ln.beta.grad, %lr.64 : tensor<64xf32>
  %head.ln.beta.new = stablehlo.subtract %head.ln.beta, %head.ln.beta.step : tensor<64xf32>
  %head.ln.grad.norm = stablehlo.multiply %head.ln.grad, %head.ln.norm : tensor<32x64x64xf32>
  %head.ln.gamma.grad = stablehlo.reduce(%head.ln.grad.norm init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %head.ln.gamma.step = stablehlo.multiply %head.ln.gamma.grad, %lr.64 : tensor<64xf32>
  %head.ln.gamma.new = stablehlo.subtract %head.ln.gamma, %head.ln.gamma.step : tensor<64xf32>
  %head.ln.gamma.bwd.b = stablehlo.broadcast_in_dim %head.ln.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %head.ln.norm.grad = stablehlo.multiply %head.ln.grad, %head.ln.gamma.bwd.b : tensor<32x64x64xf32>
  %head.ln.norm.grad.sum = stablehlo.reduce(%head.ln.norm.grad init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %head.ln.norm.grad.negmean = stablehlo.multiply %head.ln.norm.grad.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %head.ln.norm.grad.norm = stablehlo.multiply %head.ln.norm.grad, %head.ln.norm : tensor<32x64x64xf32>
  %head.ln.proj.sum = stablehlo.reduce(%head.ln.norm.grad.norm init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %head.ln.proj.negmean = stablehlo.multiply %head.ln.proj.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %head.ln.norm.grad.negmean.b = stablehlo.broadcast_in_dim %head.ln.norm.grad.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %head.ln.norm.grad.centered = stablehlo.add %head.ln.norm.grad, %head.ln.norm.grad.negmean.b : tensor<32x64x64xf32>
  %head.ln.proj.negmean.b = stablehlo.broadcast_in_dim %head.ln.proj.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %head.ln.proj = stablehlo.multiply %head.ln.norm, %head.ln.proj.negmean.b : tensor<32x64x64xf32>
  %head.ln.norm.grad.orthogonal = stablehlo.add %head.ln.norm.grad.centered, %head.ln.proj : tensor<32x64x64xf32>
  %head.ln.in.grad = stablehlo.multiply %head.ln.norm.grad.orthogonal, %head.ln.rstd.b : tensor<32x64x64xf32>

  // Layer 5: backward of the MLP and its layer norm, with updates.
  %l5.mlp.b2.grad = stablehlo.reduce(%head.ln.in.grad init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l5.mlp.b2.step = stablehlo.multiply %l5.mlp.b2.grad, %lr.64 : tensor<64xf32>
  %l5.mlp.b2.new = stablehlo.subtract %l5.mlp.b2, %l5.mlp.b2.step : tensor<64xf32>
  %l5.mlp.w2.grad = stablehlo.dot_general %l5.mlp.gelu, %head.ln.in.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x256xf32>, tensor<32x64x64xf32>) -> tensor<256x64xf32>
  %l5.mlp.w2.step = stablehlo.multiply %l5.mlp.w2.grad, %lr.256x64 : tensor<256x64xf32>
  %l5.mlp.w2.new = stablehlo.subtract %l5.mlp.w2, %l5.mlp.w2.step : tensor<256x64xf32>
  %l5.mlp.gelu.grad = stablehlo.dot_general %head.ln.in.grad, %l5.mlp.w2, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<256x64xf32>) -> tensor<32x64x256xf32>
  %l5.mlp.gelu.tanh2 = stablehlo.multiply %l5.mlp.gelu.tanh, %l5.mlp.gelu.tanh : tensor<32x64x256xf32>
  %l5.mlp.gelu.sech2 = stablehlo.subtract %one.32x64x256, %l5.mlp.gelu.tanh2 : tensor<32x64x256xf32>
  %l5.mlp.gelu.sq.scaled = stablehlo.multiply %l5.mlp.gelu.sq, %gelu_cubic3.32x64x256 : tensor<32x64x256xf32>
  %l5.mlp.gelu.poly.slope = stablehlo.add %one.32x64x256, %l5.mlp.gelu.sq.scaled : tensor<32x64x256xf32>
  %l5.mlp.gelu.arg.slope = stablehlo.multiply %l5.mlp.gelu.poly.slope, %gelu_scale.32x64x256 : tensor<32x64x256xf32>
  %l5.mlp.gelu.gate.bwd = stablehlo.add %l5.mlp.gelu.tanh, %one.32x64x256 : tensor<32x64x256xf32>
  %l5.mlp.gelu.gate.half = stablehlo.multiply %l5.mlp.gelu.gate.bwd, %half.32x64x256 : tensor<32x64x256xf32>
  %l5.mlp.gelu.half.sech2 = stablehlo.multiply %l5.mlp.gelu.half, %l5.mlp.gelu.sech2 : tensor<32x64x256xf32>
  %l5.mlp.gelu.tail = stablehlo.multiply %l5.mlp.gelu.half.sech2, %l5.mlp.gelu.arg.slope : tensor<32x64x256xf32>
  %l5.mlp.gelu.slope = stablehlo.add %l5.mlp.gelu.gate.half, %l5.mlp.gelu.tail : tensor<32x64x256xf32>
  %l5.mlp.gelu.in.grad = stablehlo.multiply %l5.mlp.gelu.grad, %l5.mlp.gelu.slope : tensor<32x64x256xf32>
  %l5.mlp.b1.grad = stablehlo.reduce(%l5.mlp.gelu.in.grad init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x256xf32>, tensor<f32>) -> tensor<256xf32>
  %l5.mlp.b1.step = stablehlo.multiply %l5.mlp.b1.grad, %lr.256 : tensor<256xf32>
  %l5.mlp.b1.new = stablehlo.subtract %l5.mlp.b1, %l5.mlp.b1.step : tensor<256xf32>
  %l5.mlp.w1.grad = stablehlo.dot_general %l5.ln2, %l5.mlp.gelu.in.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x256xf32>) -> tensor<64x256xf32>
  %l5.mlp.w1.step = stablehlo.multiply %l5.mlp.w1.grad, %lr.64x256 : tensor<64x256xf32>
  %l5.mlp.w1.new = stablehlo.subtract %l5.mlp.w1, %l5.mlp.w1.step : tensor<64x256xf32>
  %l5.ln2.grad = stablehlo.dot_general %l5.mlp.gelu.in.grad, %l5.mlp.w1, contracting_dims = [2] x [1]
      : (tensor<32x64x256xf32>, tensor<64x256xf32>) -> tensor<32x64x64xf32>
  %l5.ln2.beta.grad = stablehlo.reduce(%l5.ln2.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l5.ln2.beta.step = stablehlo.multiply %l5.ln2.beta.grad, %lr.64 : tensor<64xf32>
  %l5.ln2.beta.new = stablehlo.subtract %l5.ln2.beta, %l5.ln2.beta.step : tensor<64xf32>
  %l5.ln2.grad.norm = stablehlo.multiply %l5.ln2.grad, %l5.ln2.norm : tensor<32x64x64xf32>
  %l5.ln2.gamma.grad = stablehlo.reduce(%l5.ln2.grad.norm init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l5.ln2.gamma.step = stablehlo.multiply %l5.ln2.gamma.grad, %lr.64 : tensor<64xf32>
  %l5.ln2.gamma.new = stablehlo.subtract %l5.ln2.gamma, %l5.ln2.gamma.step : tensor<64xf32>
  %l5.ln2.gamma.bwd.b = stablehlo.broadcast_in_dim %l5.ln2.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l5.ln2.norm.grad = stablehlo.multiply %l5.ln2.grad, %l5.ln2.gamma.bwd.b : tensor<32x64x64xf32>
  %l5.ln2.norm.grad.sum = stablehlo.reduce(%l5.ln2.norm.grad init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l5.ln2.norm.grad.negmean = stablehlo.multiply %l5.ln2.norm.grad.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l5.ln2.norm.grad.norm = stablehlo.multiply %l5.ln2.norm.grad, %l5.ln2.norm : tensor<32x64x64xf32>
  %l5.ln2.proj.sum = stablehlo.reduce(%l5.ln2.norm.grad.norm init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l5.ln2.proj.negmean = stablehlo.multiply %l5.ln2.proj.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l5.ln2.norm.grad.negmean.b = stablehlo.broadcast_in_dim %l5.ln2.norm.grad.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l5.ln2.norm.grad.centered = stablehlo.add %l5.ln2.norm.grad, %l5.ln2.norm.grad.negmean.b : tensor<32x64x64xf32>
  %l5.ln2.proj.negmean.b = stablehlo.broadcast_in_dim %l5.ln2.proj.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l5.ln2.proj = stablehlo.multiply %l5.ln2.norm, %l5.ln2.proj.negmean.b : tensor<32x64x64xf32>
  %l5.ln2.norm.grad.orthogonal = stablehlo.add %l5.ln2.norm.grad.centered, %l5.ln2.proj : tensor<32x64x64xf32>
  %l5.ln2.in.grad = stablehlo.multiply %l5.ln2.norm.grad.orthogonal, %l5.ln2.rstd.b : tensor<32x64x64xf32>
  %l5.attn.residual.grad = stablehlo.add %head.ln.in.grad, %l5.ln2.in.grad : tensor<32x64x64xf32>

  // Layer 5: backward of the attention and its layer norm, with updates.
  %l5.attn.wo.grad = stablehlo.dot_general %l5.attn.context, %l5.attn.residual.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l5.attn.wo.step = stablehlo.multiply %l5.attn.wo.grad, %lr.64x64 : tensor<64x64xf32>
  %l5.attn.wo.new = stablehlo.subtract %l5.attn.wo, %l5.attn.wo.step : tensor<64x64xf32>
  %l5.attn.context.grad = stablehlo.dot_general %l5.attn.residual.grad, %l5.attn.wo, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l5.attn.context.heads.grad.split = stablehlo.reshape %l5.attn.context.grad : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l5.attn.context.heads.grad = stablehlo.transpose %l5.attn.context.heads.grad.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l5.attn.v.grad = stablehlo.dot_general %l5.attn.prob, %l5.attn.context.heads.grad, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l5.attn.prob.grad = stablehlo.dot_general %l5.attn.context.heads.grad, %l5.attn.v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
      : (tensor<32x4x64x16xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x64xf32>
  %l5.attn.prob.grad.prob = stablehlo.multiply %l5.attn.prob.grad, %l5.attn.prob : tensor<32x4x64x64xf32>
  %l5.attn.prob.grad.sum = stablehlo.reduce(%l5.attn.prob.grad.prob init: %zero) applies stablehlo.add across dimensions = [3]
      : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l5.attn.prob.grad.negsum = stablehlo.negate %l5.attn.prob.grad.sum : tensor<32x4x64xf32>
  %l5.attn.prob.grad.negsum.b = stablehlo.broadcast_in_dim %l5.attn.prob.grad.negsum, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l5.attn.prob.grad.centered = stablehlo.add %l5.attn.prob.grad, %l5.attn.prob.grad.negsum.b : tensor<32x4x64x64xf32>
  %l5.attn.score.grad = stablehlo.multiply %l5.attn.prob, %l5.attn.prob.grad.centered : tensor<32x4x64x64xf32>
  %l5.attn.score.raw.grad = stablehlo.multiply %l5.attn.score.grad, %attn_scale.32x4x64x64 : tensor<32x4x64x64xf32>
  %l5.attn.q.grad = stablehlo.dot_general %l5.attn.score.raw.grad, %l5.attn.k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l5.attn.k.grad = stablehlo.dot_general %l5.attn.score.raw.grad, %l5.attn.q, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l5.attn.v.flat.grad.merged = stablehlo.transpose %l5.attn.v.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l5.attn.v.flat.grad = stablehlo.reshape %l5.attn.v.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l5.attn.wv.grad = stablehlo.dot_general %l5.ln1, %l5.attn.v.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l5.attn.wv.step = stablehlo.multiply %l5.attn.wv.grad, %lr.64x64 : tensor<64x64xf32>
  %l5.attn.wv.new = stablehlo.subtract %l5.attn.wv, %l5.attn.wv.step : tensor<64x64xf32>
  %l5.ln1.grad.v = stablehlo.dot_general %l5.attn.v.flat.grad, %l5.attn.wv, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l5.attn.q.flat.grad.merged = stablehlo.transpose %l5.attn.q.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l5.attn.q.flat.grad = stablehlo.reshape %l5.attn.q.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l5.attn.wq.grad = stablehlo.dot_general %l5.ln1, %l5.attn.q.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l5.attn.wq.step = stablehlo.multiply %l5.attn.wq.grad, %lr.64x64 : tensor<64x64xf32>
  %l5.attn.wq.new = stablehlo.subtract %l5.attn.wq, %l5.attn.wq.step : tensor<64x64xf32>
  %l5.ln1.grad.q = stablehlo.dot_general %l5.attn.q.flat.grad, %l5.attn.wq, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l5.ln1.grad.vq = stablehlo.add %l5.ln1.grad.v, %l5.ln1.grad.q : tensor<32x64x64xf32>
  %l5.attn.k.flat.grad.merged = stablehlo.transpose %l5.attn.k.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l5.attn.k.flat.grad = stablehlo.reshape %l5.attn.k.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l5.attn.wk.grad = stablehlo.dot_general %l5.ln1, %l5.attn.k.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l5.attn.wk.step = stablehlo.multiply %l5.attn.wk.grad, %lr.64x64 : tensor<64x64xf32>
  %l5.attn.wk.new = stablehlo.subtract %l5.attn.wk, %l5.attn.wk.step : tensor<64x64xf32>
  %l5.ln1.grad.k = stablehlo.dot_general %l5.attn.k.flat.grad, %l5.attn.wk, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l5.ln1.grad = stablehlo.add %l5.ln1.grad.vq, %l5.ln1.grad.k : tensor<32x64x64xf32>
  %l5.ln1.beta.grad = stablehlo.reduce(%l5.ln1.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l5.ln1.beta.step = stablehlo.multiply %l5.ln1.beta.grad, %lr.64 : tensor<64xf32>
  %l5.ln1.beta.new = stablehlo.subtract %l5.ln1.beta, %l5.ln1.beta.step : tensor<64xf32>
  %l5.ln1.grad.norm = stablehlo.multiply %l5.ln1.grad, %l5.ln1.norm : tensor<32x64x64xf32>
  %l5.ln1.gamma.grad = stablehlo.reduce(%l5.ln1.grad.norm init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l5.ln1.gamma.step = stablehlo.multiply %l5.ln1.gamma.grad, %lr.64 : tensor<64xf32>
  %l5.ln1.gamma.new = stablehlo.subtract %l5.ln1.gamma, %l5.ln1.gamma.step : tensor<64xf32>
  %l5.ln1.gamma.bwd.b = stablehlo.broadcast_in_dim %l5.ln1.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l5.ln1.norm.grad = stablehlo.multiply %l5.ln1.grad, %l5.ln1.gamma.bwd.b : tensor<32x64x64xf32>
  %l5.ln1.norm.grad.sum = stablehlo.reduce(%l5.ln1.norm.grad init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l5.ln1.norm.grad.negmean = stablehlo.multiply %l5.ln1.norm.grad.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l5.ln1.norm.grad.norm = stablehlo.multiply %l5.ln1.norm.grad, %l5.ln1.norm : tensor<32x64x64xf32>
  %l5.ln1.proj.sum = stablehlo.reduce(%l5.ln1.norm.grad.norm init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l5.ln1.proj.negmean = stablehlo.multiply %l5.ln1.proj.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l5.ln1.norm.grad.negmean.b = stablehlo.broadcast_in_dim %l5.ln1.norm.grad.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l5.ln1.norm.grad.centered = stablehlo.add %l5.ln1.norm.grad, %l5.ln1.norm.grad.negmean.b : tensor<32x64x64xf32>
  %l5.ln1.proj.negmean.b = stablehlo.broadcast_in_dim %l5.ln1.proj.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l5.ln1.proj = stablehlo.multiply %l5.ln1.norm, %l5.ln1.proj.negmean.b : tensor<32x64x64xf32>
  %l5.ln1.norm.grad.orthogonal = stablehlo.add %l5.ln1.norm.grad.centered, %l5.ln1.proj : tensor<32x64x64xf32>
  %l5.ln1.in.grad = stablehlo.multiply %l5.ln1.norm.grad.orthogonal, %l5.ln1.rstd.b : tensor<32x64x64xf32>
  %l4.out.grad = stablehlo.add %l5.attn.residual.grad, %l5.ln1.in.grad : tensor<32x64x64xf32>

  // Layer 4: backward of the MLP and its layer norm, with updates.
  %l4.mlp.b2.grad = stablehlo.reduce(%l4.out.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l4.mlp.b2.step = stablehlo.multiply %l4.mlp.b2.grad, %lr.64 : tensor<64xf32>
  %l4.mlp.b2.new = stablehlo.subtract %l4.mlp.b2, %l4.mlp.b2.step : tensor<64xf32>
  %l4.mlp.w2.grad = stablehlo.dot_general %l4.mlp.gelu, %l4.out.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x256xf32>, tensor<32x64x64xf32>) -> tensor<256x64xf32>
  %l4.mlp.w2.step = stablehlo.multiply %l4.mlp.w2.grad, %lr.256x64 : tensor<256x64xf32>
  %l4.mlp.w2.new = stablehlo.subtract %l4.mlp.w2, %l4.mlp.w2.step : tensor<256x64xf32>
  %l4.mlp.gelu.grad = stablehlo.dot_general %l4.out.grad, %l4.mlp.w2, contracting_dims = [2] x [1] : (tensor<32x64x64xf32>, tensor<256x64xf32>) -> tensor<32x64x256xf32>
  %l4.mlp.gelu.tanh2 = stablehlo.multiply %l4.mlp.gelu.tanh, %l4.mlp.gelu.tanh : tensor<32x64x256xf32>
  %l4.mlp.gelu.sech2 = stablehlo.subtract %one.32x64x256, %l4.mlp.gelu.tanh2 : tensor<32x64x256xf32>
  %l4.mlp.gelu.sq.scaled = stablehlo.multiply %l4.mlp.gelu.sq, %gelu_cubic3.32x64x256 : tensor<32x64x256xf32>
  %l4.mlp.gelu.poly.slope = stablehlo.add %one.32x64x256, %l4.mlp.gelu.sq.scaled : tensor<32x64x256xf32>
  %l4.mlp.gelu.arg.slope = stablehlo.multiply %l4.mlp.gelu.poly.slope, %gelu_scale.32x64x256 : tensor<32x64x256xf32>
  %l4.mlp.gelu.gate.bwd = stablehlo.add %l4.mlp.gelu.tanh, %one.32x64x256 : tensor<32x64x256xf32>
  %l4.mlp.gelu.gate.half = stablehlo.multiply %l4.mlp.gelu.gate.bwd, %half.32x64x256 : tensor<32x64x256xf32>
  %l4.mlp.gelu.half.sech2 = stablehlo.multiply %l4.mlp.gelu.half, %l4.mlp.gelu.sech2 : tensor<32x64x256xf32>
  %l4.mlp.gelu.tail = stablehlo.multiply %l4.mlp.gelu.half.sech2, %l4.mlp.gelu.arg.slope : tensor<32x64x256xf32>
  %l4.mlp.gelu.slope = stablehlo.add %l4.mlp.gelu.gate.half, %l4.mlp.gelu.tail : tensor<32x64x256xf32>
  %l4.mlp.gelu.in.grad = stablehlo.multiply %l4.mlp.gelu.grad, %l4.mlp.gelu.slope : tensor<32x64x256xf32>
  %l4.mlp.b1.grad = stablehlo.reduce(%l4.mlp.gelu.in.grad init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x256xf32>, tensor<f32>) -> tensor<256xf32>
  %l4.mlp.b1.step = stablehlo.multiply %l4.mlp.b1.grad, %lr.256 : tensor<256xf32>
  %l4.mlp.b1.new = stablehlo.subtract %l4.mlp.b1, %l4.mlp.b1.step : tensor<256xf32>
  %l4.mlp.w1.grad = stablehlo.dot_general %l4.ln2, %l4.mlp.gelu.in.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x256xf32>) -> tensor<64x256xf32>
  %l4.mlp.w1.step = stablehlo.multiply %l4.mlp.w1.grad, %lr.64x256 : tensor<64x256xf32>
  %l4.mlp.w1.new = stablehlo.subtract %l4.mlp.w1, %l4.mlp.w1.step : tensor<64x256xf32>
  %l4.ln2.grad = stablehlo.dot_general %l4.mlp.gelu.in.grad, %l4.mlp.w1, contracting_dims = [2] x [1]
      : (tensor<32x64x256xf32>, tensor<64x256xf32>) -> tensor<32x64x64xf32>
  %l4.ln2.beta.grad = stablehlo.reduce(%l4.ln2.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l4.ln2.beta.step = stablehlo.multiply %l4.ln2.beta.grad, %lr.64 : tensor<64xf32>
  %l4.ln2.beta.new = stablehlo.subtract %l4.ln2.beta, %l4.ln2.beta.step : tensor<64xf32>
  %l4.ln2.grad.norm = stablehlo.multiply %l4.ln2.grad, %l4.ln2.norm : tensor<32x64x64xf32>
  %l4.ln2.gamma.grad = stablehlo.reduce(%l4.ln2.grad.norm init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l4.ln2.gamma.step = stablehlo.multiply %l4.ln2.gamma.grad, %lr.64 : tensor<64xf32>
  %l4.ln2.gamma.new = stablehlo.subtract %l4.ln2.gamma, %l4.ln2.gamma.step : tensor<64xf32>
  %l4.ln2.gamma.bwd.b = stablehlo.broadcast_in_dim %l4.ln2.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l4.ln2.norm.grad = stablehlo.multiply %l4.ln2.grad, %l4.ln2.gamma.bwd.b : tensor<32x64x64xf32>
  %l4.ln2.norm.grad.sum = stablehlo.reduce(%l4.ln2.norm.grad init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l4.ln2.norm.grad.negmean = stablehlo.multiply %l4.ln2.norm.grad.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l4.ln2.norm.grad.norm = stablehlo.multiply %l4.ln2.norm.grad, %l4.ln2.norm : tensor<32x64x64xf32>
  %l4.ln2.proj.sum = stablehlo.reduce(%l4.ln2.norm.grad.norm init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l4.ln2.proj.negmean = stablehlo.multiply %l4.ln2.proj.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l4.ln2.norm.grad.negmean.b = stablehlo.broadcast_in_dim %l4.ln2.norm.grad.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l4.ln2.norm.grad.centered = stablehlo.add %l4.ln2.norm.grad, %l4.ln2.norm.grad.negmean.b : tensor<32x64x64xf32>
  %l4.ln2.proj.negmean.b = stablehlo.broadcast_in_dim %l4.ln2.proj.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l4.ln2.proj = stablehlo.multiply %l4.ln2.norm, %l4.ln2.proj.negmean.b : tensor<32x64x64xf32>
  %l4.ln2.norm.grad.orthogonal = stablehlo.add %l4.ln2.norm.grad.centered, %l4.ln2.proj : tensor<32x64x64xf32>
  %l4.ln2.in.grad = stablehlo.multiply %l4.ln2.norm.grad.orthogonal, %l4.ln2.rstd.b : tensor<32x64x64xf32>
  %l4.attn.residual.grad = stablehlo.add %l4.out.grad, %l4.ln2.in.grad : tensor<32x64x64xf32>

  // Layer 4: backward of the attention and its layer norm, with updates.
  %l4.attn.wo.grad = stablehlo.dot_general %l4.attn.context, %l4.attn.residual.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l4.attn.wo.step = stablehlo.multiply %l4.attn.wo.grad, %lr.64x64 : tensor<64x64xf32>
  %l4.attn.wo.new = stablehlo.subtract %l4.attn.wo, %l4.attn.wo.step : tensor<64x64xf32>
  %l4.attn.context.grad = stablehlo.dot_general %l4.attn.residual.grad, %l4.attn.wo, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l4.attn.context.heads.grad.split = stablehlo.reshape %l4.attn.context.grad : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l4.attn.context.heads.grad = stablehlo.transpose %l4.attn.context.heads.grad.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l4.attn.v.grad = stablehlo.dot_general %l4.attn.prob, %l4.attn.context.heads.grad, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l4.attn.prob.grad = stablehlo.dot_general %l4.attn.context.heads.grad, %l4.attn.v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
      : (tensor<32x4x64x16xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x64xf32>
  %l4.attn.prob.grad.prob = stablehlo.multiply %l4.attn.prob.grad, %l4.attn.prob : tensor<32x4x64x64xf32>
  %l4.attn.prob.grad.sum = stablehlo.reduce(%l4.attn.prob.grad.prob init: %zero) applies stablehlo.add across dimensions = [3]
      : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l4.attn.prob.grad.negsum = stablehlo.negate %l4.attn.prob.grad.sum : tensor<32x4x64xf32>
  %l4.attn.prob.grad.negsum.b = stablehlo.broadcast_in_dim %l4.attn.prob.grad.negsum, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l4.attn.prob.grad.centered = stablehlo.add %l4.attn.prob.grad, %l4.attn.prob.grad.negsum.b : tensor<32x4x64x64xf32>
  %l4.attn.score.grad = stablehlo.multiply %l4.attn.prob, %l4.attn.prob.grad.centered : tensor<32x4x64x64xf32>
  %l4.attn.score.raw.grad = stablehlo.multiply %l4.attn.score.grad, %attn_scale.32x4x64x64 : tensor<32x4x64x64xf32>
  %l4.attn.q.grad = stablehlo.dot_general %l4.attn.score.raw.grad, %l4.attn.k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l4.attn.k.grad = stablehlo.dot_general %l4.attn.score.raw.grad, %l4.attn.q, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l4.attn.v.flat.grad.merged = stablehlo.transpose %l4.attn.v.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l4.attn.v.flat.grad = stablehlo.reshape %l4.attn.v.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l4.attn.wv.grad = stablehlo.dot_general %l4.ln1, %l4.attn.v.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l4.attn.wv.step = stablehlo.multiply %l4.attn.wv.grad, %lr.64x64 : tensor<64x64xf32>
  %l4.attn.wv.new = stablehlo.subtract %l4.attn.wv, %l4.attn.wv.step : tensor<64x64xf32>
  %l4.ln1.grad.v = stablehlo.dot_general %l4.attn.v.flat.grad, %l4.attn.wv, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l4.attn.q.flat.grad.merged = stablehlo.transpose %l4.attn.q.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l4.attn.q.flat.grad = stablehlo.reshape %l4.attn.q.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l4.attn.wq.grad = stablehlo.dot_general %l4.ln1, %l4.attn.q.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l4.attn.wq.step = stablehlo.multiply %l4.attn.wq.grad, %lr.64x64 : tensor<64x64xf32>
  %l4.attn.wq.new = stablehlo.subtract %l4.attn.wq, %l4.attn.wq.step : tensor<64x64xf32>
  %l4.ln1.grad.q = stablehlo.dot_general %l4.attn.q.flat.grad, %l4.attn.wq, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l4.ln1.grad.vq = stablehlo.add %l4.ln1.grad.v, %l4.ln1.grad.q : tensor<32x64x64xf32>
  %l4.attn.k.flat.grad.merged = stablehlo.transpose %l4.attn.k.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l4.attn.k.flat.grad = stablehlo.reshape %l4.attn.k.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l4.attn.wk.grad = stablehlo.dot_general %l4.ln1, %l4.attn.k.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l4.attn.wk.step = stablehlo.multiply %l4.attn.wk.grad, %lr.64x64 : tensor<64x64xf32>
  %l4.attn.wk.new = stablehlo.subtract %l4.attn.wk, %l4.attn.wk.step : tensor<64x64xf32>
  %l4.ln1.grad.k = stablehlo.dot_general %l4.attn.k.flat.grad, %l4.attn.wk, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l4.ln1.grad = stablehlo.add %l4.ln1.grad.vq, %l4.ln1.grad.k : tensor<32x64x64xf32>
  %l4.ln1.beta.grad = stablehlo.reduce(%l4.ln1.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l4.ln1.beta.step = stablehlo.multiply %l4.ln1.beta.grad, %lr.64 : tensor<64xf32>
  %l4.ln1.beta.new = stablehlo.subtract %l4.ln1.beta, %l4.ln1.beta.step : tensor<64xf32>
  %l4.ln1.grad.norm = stablehlo.multiply %l4.ln1.grad, %l4.ln1.norm : tensor<32x64x64xf32>
  %l4.ln1.gamma.grad = stablehlo.reduce(%l4.ln1.grad.norm init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l4.ln1.gamma.step = stablehlo.multiply %l4.ln1.gamma.grad, %lr.64 : tensor<64xf32>
  %l4.ln1.gamma.new = stablehlo.subtract %l4.ln1.gamma, %l4.ln1.gamma.step : tensor<64xf32>
  %l4.ln1.gamma.bwd.b = stablehlo.broadcast_in_dim %l4.ln1.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l4.ln1.norm.grad = stablehlo.multiply %l4.ln1.grad, %l4.ln1.gamma.bwd.b : tensor<32x64x64xf32>
  %l4.ln1.norm.grad.sum = stablehlo.reduce(%l4.ln1.norm.grad init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l4.ln1.norm.grad.negmean = stablehlo.multiply %l4.ln1.norm.grad.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l4.ln1.norm.grad.norm = stablehlo.multiply %l4.ln1.norm.grad, %l4.ln1.norm : tensor<32x64x64xf32>
  %l4.ln1.proj.sum = stablehlo.reduce(%l4.ln1.norm.grad.norm init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l4.ln1.proj.negmean = stablehlo.multiply %l4.ln1.proj.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l4.ln1.norm.grad.negmean.b = stablehlo.broadcast_in_dim %l4.ln1.norm.grad.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l4.ln1.norm.grad.centered = stablehlo.add %l4.ln1.norm.grad, %l4.ln1.norm.grad.negmean.b : tensor<32x64x64xf32>
  %l4.ln1.proj.negmean.b = stablehlo.broadcast_in_dim %l4.ln1.proj.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l4.ln1.proj = stablehlo.multiply %l4.ln1.norm, %l4.ln1.proj.negmean.b : tensor<32x64x64xf32>
  %l4.ln1.norm.grad.orthogonal = stablehlo.add %l4.ln1.norm.grad.centered, %l4.ln1.proj : tensor<32x64x64xf32>
  %l4.ln1.in.grad = stablehlo.multiply %l4.ln1.norm.grad.orthogonal, %l4.ln1.rstd.b : tensor<32x64x64xf32>
  %l3.out.grad = stablehlo.add %l4.attn.residual.grad, %l4.ln1.in.grad : tensor<32x64x64xf32>

  // Layer 3: backward of the MLP and its layer norm, with updates.
  %l3.mlp.b2.grad = stablehlo.reduce(%l3.out.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l3.mlp.b2.step = stablehlo.multiply %l3.mlp.b2.grad, %lr.64 : tensor<64xf32>
  %l3.mlp.b2.new = stablehlo.subtract %l3.mlp.b2, %l3.mlp.b2.step : tensor<64xf32>
  %l3.mlp.w2.grad = stablehlo.dot_general %l3.mlp.gelu, %l3.out.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x256xf32>, tensor<32x64x64xf32>) -> tensor<256x64xf32>
  %l3.mlp.w2.step = stablehlo.multiply %l3.mlp.w2.grad, %lr.256x64 : tensor<256x64xf32>
  %l3.mlp.w2.new = stablehlo.subtract %l3.mlp.w2, %l3.mlp.w2.step : tensor<256x64xf32>
  %l3.mlp.gelu.grad = stablehlo.dot_general %l3.out.grad, %l3.mlp.w2, contracting_dims = [2] x [1] : (tensor<32x64x64xf32>, tensor<256x64xf32>) -> tensor<32x64x256xf32>
  %l3.mlp.gelu.tanh2 = stablehlo.multiply %l3.mlp.gelu.tanh, %l3.mlp.gelu.tanh : tensor<32x64x256xf32>
  %l3.mlp.gelu.sech2 = stablehlo.subtract %one.32x64x256, %l3.mlp.gelu.tanh2 : tensor<32x64x256xf32>
  %l3.mlp.gelu.sq.scaled = stablehlo.multiply %l3.mlp.gelu.sq, %gelu_cubic3.32x64x256 : tensor<32x64x256xf32>
  %l3.mlp.gelu.poly.slope = stablehlo.add %one.32x64x256, %l3.mlp.gelu.sq.scaled : tensor<32x64x256xf32>
  %l3.mlp.gelu.arg.slope = stablehlo.multiply %l3.mlp.gelu.poly.slope, %gelu_scale.32x64x256 : tensor<32x64x256xf32>
  %l3.mlp.gelu.gate.bwd = stablehlo.add %l3.mlp.gelu.tanh, %one.32x64x256 : tensor<32x64x256xf32>
  %l3.mlp.gelu.gate.half = stablehlo.multiply %l3.mlp.gelu.gate.bwd, %half.32x64x256 : tensor<32x64x256xf32>
  %l3.mlp.gelu.half.sech2 = stablehlo.multiply %l3.mlp.gelu.half, %l3.mlp.gelu.sech2 : tensor<32x64x256xf32>
  %l3.mlp.gelu.tail = stablehlo.multiply %l3.mlp.gelu.half.sech2, %l3.mlp.gelu.arg.slope : tensor<32x64x256xf32>
  %l3.mlp.gelu.slope = stablehlo.add %l3.mlp.gelu.gate.half, %l3.mlp.gelu.tail : tensor<32x64x256xf32>
  %l3.mlp.gelu.in.grad = stablehlo.multiply %l3.mlp.gelu.grad, %l3.mlp.gelu.slope : tensor<32x64x256xf32>
  %l3.mlp.b1.grad = stablehlo.reduce(%l3.mlp.gelu.in.grad init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x256xf32>, tensor<f32>) -> tensor<256xf32>
  %l3.mlp.b1.step = stablehlo.multiply %l3.mlp.b1.grad, %lr.256 : tensor<256xf32>
  %l3.mlp.b1.new = stablehlo.subtract %l3.mlp.b1, %l3.mlp.b1.step : tensor<256xf32>
  %l3.mlp.w1.grad = stablehlo.dot_general %l3.ln2, %l3.mlp.gelu.in.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x256xf32>) -> tensor<64x256xf32>
  %l3.mlp.w1.step = stablehlo.multiply %l3.mlp.w1.grad, %lr.64x256 : tensor<64x256xf32>
  %l3.mlp.w1.new = stablehlo.subtract %l3.mlp.w1, %l3.mlp.w1.step : tensor<64x256xf32>
  %l3.ln2.grad = stablehlo.dot_general %l3.mlp.gelu.in.grad, %l3.mlp.w1, contracting_dims = [2] x [1]
      : (tensor<32x64x256xf32>, tensor<64x256xf32>) -> tensor<32x64x64xf32>
  %l3.ln2.beta.grad = stablehlo.reduce(%l3.ln2.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l3.ln2.beta.step = stablehlo.multiply %l3.ln2.beta.grad, %lr.64 : tensor<64xf32>
  %l3.ln2.beta.new = stablehlo.subtract %l3.ln2.beta, %l3.ln2.beta.step : tensor<64xf32>
  %l3.ln2.grad.norm = stablehlo.multiply %l3.ln2.grad, %l3.ln2.norm : tensor<32x64x64xf32>
  %l3.ln2.gamma.grad = stablehlo.reduce(%l3.ln2.grad.norm init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l3.ln2.gamma.step = stablehlo.multiply %l3.ln2.gamma.grad, %lr.64 : tensor<64xf32>
  %l3.ln2.gamma.new = stablehlo.subtract %l3.ln2.gamma, %l3.ln2.gamma.step : tensor<64xf32>
  %l3.ln2.gamma.bwd.b = stablehlo.broadcast_in_dim %l3.ln2.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l3.ln2.norm.grad = stablehlo.multiply %l3.ln2.grad, %l3.ln2.gamma.bwd.b : tensor<32x64x64xf32>
  %l3.ln2.norm.grad.sum = stablehlo.reduce(%l3.ln2.norm.grad init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l3.ln2.norm.grad.negmean = stablehlo.multiply %l3.ln2.norm.grad.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l3.ln2.norm.grad.norm = stablehlo.multiply %l3.ln2.norm.grad, %l3.ln2.norm : tensor<32x64x64xf32>
  %l3.ln2.proj.sum = stablehlo.reduce(%l3.ln2.norm.grad.norm init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l3.ln2.proj.negmean = stablehlo.multiply %l3.ln2.proj.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l3.ln2.norm.grad.negmean.b = stablehlo.broadcast_in_dim %l3.ln2.norm.grad.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l3.ln2.norm.grad.centered = stablehlo.add %l3.ln2.norm.grad, %l3.ln2.norm.grad.negmean.b : tensor<32x64x64xf32>
  %l3.ln2.proj.negmean.b = stablehlo.broadcast_in_dim %l3.ln2.proj.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l3.ln2.proj = stablehlo.multiply %l3.ln2.norm, %l3.ln2.proj.negmean.b : tensor<32x64x64xf32>
  %l3.ln2.norm.grad.orthogonal = stablehlo.add %l3.ln2.norm.grad.centered, %l3.ln2.proj : tensor<32x64x64xf32>
  %l3.ln2.in.grad = stablehlo.multiply %l3.ln2.norm.grad.orthogonal, %l3.ln2.rstd.b : tensor<32x64x64xf32>
  %l3.attn.residual.grad = stablehlo.add %l3.out.grad, %l3.ln2.in.grad : tensor<32x64x64xf32>

  // Layer 3: backward of the attention and its layer norm, with updates.
  %l3.attn.wo.grad = stablehlo.dot_general %l3.attn.context, %l3.attn.residual.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l3.attn.wo.step = stablehlo.multiply %l3.attn.wo.grad, %lr.64x64 : tensor<64x64xf32>
  %l3.attn.wo.new = stablehlo.subtract %l3.attn.wo, %l3.attn.wo.step : tensor<64x64xf32>
  %l3.attn.context.grad = stablehlo.dot_general %l3.attn.residual.grad, %l3.attn.wo, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l3.attn.context.heads.grad.split = stablehlo.reshape %l3.attn.context.grad : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l3.attn.context.heads.grad = stablehlo.transpose %l3.attn.context.heads.grad.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l3.attn.v.grad = stablehlo.dot_general %l3.attn.prob, %l3.attn.context.heads.grad, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l3.attn.prob.grad = stablehlo.dot_general %l3.attn.context.heads.grad, %l3.attn.v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
      : (tensor<32x4x64x16xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x64xf32>
  %l3.attn.prob.grad.prob = stablehlo.multiply %l3.attn.prob.grad, %l3.attn.prob : tensor<32x4x64x64xf32>
  %l3.attn.prob.grad.sum = stablehlo.reduce(%l3.attn.prob.grad.prob init: %zero) applies stablehlo.add across dimensions = [3]
      : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l3.attn.prob.grad.negsum = stablehlo.negate %l3.attn.prob.grad.sum : tensor<32x4x64xf32>
  %l3.attn.prob.grad.negsum.b = stablehlo.broadcast_in_dim %l3.attn.prob.grad.negsum, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l3.attn.prob.grad.centered = stablehlo.add %l3.attn.prob.grad, %l3.attn.prob.grad.negsum.b : tensor<32x4x64x64xf32>
  %l3.attn.score.grad = stablehlo.multiply %l3.attn.prob, %l3.attn.prob.grad.centered : tensor<32x4x64x64xf32>
  %l3.attn.score.raw.grad = stablehlo.multiply %l3.attn.score.grad, %attn_scale.32x4x64x64 : tensor<32x4x64x64xf32>
  %l3.attn.q.grad = stablehlo.dot_general %l3.attn.score.raw.grad, %l3.attn.k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l3.attn.k.grad = stablehlo.dot_general %l3.attn.score.raw.grad, %l3.attn.q, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l3.attn.v.flat.grad.merged = stablehlo.transpose %l3.attn.v.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l3.attn.v.flat.grad = stablehlo.reshape %l3.attn.v.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l3.attn.wv.grad = stablehlo.dot_general %l3.ln1, %l3.attn.v.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l3.attn.wv.step = stablehlo.multiply %l3.attn.wv.grad, %lr.64x64 : tensor<64x64xf32>
  %l3.attn.wv.new = stablehlo.subtract %l3.attn.wv, %l3.attn.wv.step : tensor<64x64xf32>
  %l3.ln1.grad.v = stablehlo.dot_general %l3.attn.v.flat.grad, %l3.attn.wv, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l3.attn.q.flat.grad.merged = stablehlo.transpose %l3.attn.q.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l3.attn.q.flat.grad = stablehlo.reshape %l3.attn.q.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l3.attn.wq.grad = stablehlo.dot_general %l3.ln1, %l3.attn.q.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l3.attn.wq.step = stablehlo.multiply %l3.attn.wq.grad, %lr.64x64 : tensor<64x64xf32>
  %l3.attn.wq.new = stablehlo.subtract %l3.attn.wq, %l3.attn.wq.step : tensor<64x64xf32>
  %l3.ln1.grad.q = stablehlo.dot_general %l3.attn.q.flat.grad, %l3.attn.wq, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l3.ln1.grad.vq = stablehlo.add %l3.ln1.grad.v, %l3.ln1.grad.q : tensor<32x64x64xf32>
  %l3.attn.k.flat.grad.merged = stablehlo.transpose %l3.attn.k.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l3.attn.k.flat.grad = stablehlo.reshape %l3.attn.k.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l3.attn.wk.grad = stablehlo.dot_general %l3.ln1, %l3.attn.k.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l3.attn.wk.step = stablehlo.multiply %l3.attn.wk.grad, %lr.64x64 : tensor<64x64xf32>
  %l3.attn.wk.new = stablehlo.subtract %l3.attn.wk, %l3.attn.wk.step : tensor<64x64xf32>
  %l3.ln1.grad.k = stablehlo.dot_general %l3.attn.k.flat.grad, %l3.attn.wk, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l3.ln1.grad = stablehlo.add %l3.ln1.grad.vq, %l3.ln1.grad.k : tensor<32x64x64xf32>
  %l3.ln1.beta.grad = stablehlo.reduce(%l3.ln1.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l3.ln1.beta.step = stablehlo.multiply %l3.ln1.beta.grad, %lr.64 : tensor<64xf32>
  %l3.ln1.beta.new = stablehlo.subtract %l3.ln1.beta, %l3.ln1.beta.step : tensor<64xf32>
  %l3.ln1.grad.norm = stablehlo.multiply %l3.ln1.grad, %l3.ln1.norm : tensor<32x64x64xf32>
  %l3.ln1.gamma.grad = stablehlo.reduce(%l3.ln1.grad.norm init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l3.ln1.gamma.step = stablehlo.multiply %l3.ln1.gamma.grad, %lr.64 : tensor<64xf32>
  %l3.ln1.gamma.new = stablehlo.subtract %l3.ln1.gamma, %l3.ln1.gamma.step : tensor<64xf32>
  %l3.ln1.gamma.bwd.b = stablehlo.broadcast_in_dim %l3.ln1.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l3.ln1.norm.grad = stablehlo.multiply %l3.ln1.grad, %l3.ln1.gamma.bwd.b : tensor<32x64x64xf32>
  %l3.ln1.norm.grad.sum = stablehlo.reduce(%l3.ln1.norm.grad init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l3.ln1.norm.grad.negmean = stablehlo.multiply %l3.ln1.norm.grad.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l3.ln1.norm.grad.norm = stablehlo.multiply %l3.ln1.norm.grad, %l3.ln1.norm : tensor<32x64x64xf32>
  %l3.ln1.proj.sum = stablehlo.reduce(%l3.ln1.norm.grad.norm init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l3.ln1.proj.negmean = stablehlo.multiply %l3.ln1.proj.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l3.ln1.norm.grad.negmean.b = stablehlo.broadcast_in_dim %l3.ln1.norm.grad.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l3.ln1.norm.grad.centered = stablehlo.add %l3.ln1.norm.grad, %l3.ln1.norm.grad.negmean.b : tensor<32x64x64xf32>
  %l3.ln1.proj.negmean.b = stablehlo.broadcast_in_dim %l3.ln1.proj.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l3.ln1.proj = stablehlo.multiply %l3.ln1.norm, %l3.ln1.proj.negmean.b : tensor<32x64x64xf32>
  %l3.ln1.norm.grad.orthogonal = stablehlo.add %l3.ln1.norm.grad.centered, %l3.ln1.proj : tensor<32x64x64xf32>
  %l3.ln1.in.grad = stablehlo.multiply %l3.ln1.norm.grad.orthogonal, %l3.ln1.rstd.b : tensor<32x64x64xf32>
  %l2.out.grad = stablehlo.add %l3.attn.residual.grad, %l3.ln1.in.grad : tensor<32x64x64xf32>

  // Layer 2: backward of the MLP and its layer norm, with updates.
  %l2.mlp.b2.grad = stablehlo.reduce(%l2.out.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l2.mlp.b2.step = stablehlo.multiply %l2.mlp.b2.grad, %lr.64 : tensor<64xf32>
  %l2.mlp.b2.new = stablehlo.subtract %l2.mlp.b2, %l2.mlp.b2.step : tensor<64xf32>
  %l2.mlp.w2.grad = stablehlo.dot_general %l2.mlp.gelu, %l2.out.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x256xf32>, tensor<32x64x64xf32>) -> tensor<256x64xf32>
  %l2.mlp.w2.step = stablehlo.multiply %l2.mlp.w2.grad, %lr.256x64 : tensor<256x64xf32>
  %l2.mlp.w2.new = stablehlo.subtract %l2.mlp.w2, %l2.mlp.w2.step : tensor<256x64xf32>
  %l2.mlp.gelu.grad = stablehlo.dot_general %l2.out.grad, %l2.mlp.w2, contracting_dims = [2] x [1] : (tensor<32x64x64xf32>, tensor<256x64xf32>) -> tensor<32x64x256xf32>
  %l2.mlp.gelu.tanh2 = stablehlo.multiply %l2.mlp.gelu.tanh, %l2.mlp.gelu.tanh : tensor<32x64x256xf32>
  %l2.mlp.gelu.sech2 = stablehlo.subtract %one.32x64x256, %l2.mlp.gelu.tanh2 : tensor<32x64x256xf32>
  %l2.mlp.gelu.sq.scaled = stablehlo.multiply %l2.mlp.gelu.sq, %gelu_cubic3.32x64x256 : tensor<32x64x256xf32>
  %l2.mlp.gelu.poly.slope = stablehlo.add %one.32x64x256, %l2.mlp.gelu.sq.scaled : tensor<32x64x256xf32>
  %l2.mlp.gelu.arg.slope = stablehlo.multiply %l2.mlp.gelu.poly.slope, %gelu_scale.32x64x256 : tensor<32x64x256xf32>
  %l2.mlp.gelu.gate.bwd = stablehlo.add %l2.mlp.gelu.tanh, %one.32x64x256 : tensor<32x64x256xf32>
  %l2.mlp.gelu.gate.half = stablehlo.multiply %l2.mlp.gelu.gate.bwd, %half.32x64x256 : tensor<32x64x256xf32>
  %l2.mlp.gelu.half.sech2 = stablehlo.multiply %l2.mlp.gelu.half, %l2.mlp.gelu.sech2 : tensor<32x64x256xf32>
  %l2.mlp.gelu.tail = stablehlo.multiply %l2.mlp.gelu.half.sech2, %l2.mlp.gelu.arg.slope : tensor<32x64x256xf32>
  %l2.mlp.gelu.slope = stablehlo.add %l2.mlp.gelu.gate.half, %l2.mlp.gelu.tail : tensor<32x64x256xf32>
  %l2.mlp.gelu.in.grad = stablehlo.multiply %l2.mlp.gelu.grad, %l2.mlp.gelu.slope : tensor<32x64x256xf32>
  %l2.mlp.b1.grad = stablehlo.reduce(%l2.mlp.gelu.in.grad init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x256xf32>, tensor<f32>) -> tensor<256xf32>
  %l2.mlp.b1.step = stablehlo.multiply %l2.mlp.b1.grad, %lr.256 : tensor<256xf32>
  %l2.mlp.b1.new = stablehlo.subtract %l2.mlp.b1, %l2.mlp.b1.step : tensor<256xf32>
  %l2.mlp.w1.grad = stablehlo.dot_general %l2.ln2, %l2.mlp.gelu.in.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x256xf32>) -> tensor<64x256xf32>
  %l2.mlp.w1.step = stablehlo.multiply %l2.mlp.w1.grad, %lr.64x256 : tensor<64x256xf32>
  %l2.mlp.w1.new = stablehlo.subtract %l2.mlp.w1, %l2.mlp.w1.step : tensor<64x256xf32>
  %l2.ln2.grad = stablehlo.dot_general %l2.mlp.gelu.in.grad, %l2.mlp.w1, contracting_dims = [2] x [1]
      : (tensor<32x64x256xf32>, tensor<64x256xf32>) -> tensor<32x64x64xf32>
  %l2.ln2.beta.grad = stablehlo.reduce(%l2.ln2.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l2.ln2.beta.step = stablehlo.multiply %l2.ln2.beta.grad, %lr.64 : tensor<64xf32>
  %l2.ln2.beta.new = stablehlo.subtract %l2.ln2.beta, %l2.ln2.beta.step : tensor<64xf32>
  %l2.ln2.grad.norm = stablehlo.multiply %l2.ln2.grad, %l2.ln2.norm : tensor<32x64x64xf32>
  %l2.ln2.gamma.grad = stablehlo.reduce(%l2.ln2.grad.norm init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l2.ln2.gamma.step = stablehlo.multiply %l2.ln2.gamma.grad, %lr.64 : tensor<64xf32>
  %l2.ln2.gamma.new = stablehlo.subtract %l2.ln2.gamma, %l2.ln2.gamma.step : tensor<64xf32>
  %l2.ln2.gamma.bwd.b = stablehlo.broadcast_in_dim %l2.ln2.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l2.ln2.norm.grad = stablehlo.multiply %l2.ln2.grad, %l2.ln2.gamma.bwd.b : tensor<32x64x64xf32>
  %l2.ln2.norm.grad.sum = stablehlo.reduce(%l2.ln2.norm.grad init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l2.ln2.norm.grad.negmean = stablehlo.multiply %l2.ln2.norm.grad.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l2.ln2.norm.grad.norm = stablehlo.multiply %l2.ln2.norm.grad, %l2.ln2.norm : tensor<32x64x64xf32>
  %l2.ln2.proj.sum = stablehlo.reduce(%l2.ln2.norm.grad.norm init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l2.ln2.proj.negmean = stablehlo.multiply %l2.ln2.proj.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l2.ln2.norm.grad.negmean.b = stablehlo.broadcast_in_dim %l2.ln2.norm.grad.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l2.ln2.norm.grad.centered = stablehlo.add %l2.ln2.norm.grad, %l2.ln2.norm.grad.negmean.b : tensor<32x64x64xf32>
  %l2.ln2.proj.negmean.b = stablehlo.broadcast_in_dim %l2.ln2.proj.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l2.ln2.proj = stablehlo.multiply %l2.ln2.norm, %l2.ln2.proj.negmean.b : tensor<32x64x64xf32>
  %l2.ln2.norm.grad.orthogonal = stablehlo.add %l2.ln2.norm.grad.centered, %l2.ln2.proj : tensor<32x64x64xf32>
  %l2.ln2.in.grad = stablehlo.multiply %l2.ln2.norm.grad.orthogonal, %l2.ln2.rstd.b : tensor<32x64x64xf32>
  %l2.attn.residual.grad = stablehlo.add %l2.out.grad, %l2.ln2.in.grad : tensor<32x64x64xf32>

  // Layer 2: backward of the attention and its layer norm, with updates.
  %l2.attn.wo.grad = stablehlo.dot_general %l2.attn.context, %l2.attn.residual.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l2.attn.wo.step = stablehlo.multiply %l2.attn.wo.grad, %lr.64x64 : tensor<64x64xf32>
  %l2.attn.wo.new = stablehlo.subtract %l2.attn.wo, %l2.attn.wo.step : tensor<64x64xf32>
  %l2.attn.context.grad = stablehlo.dot_general %l2.attn.residual.grad, %l2.attn.wo, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l2.attn.context.heads.grad.split = stablehlo.reshape %l2.attn.context.grad : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l2.attn.context.heads.grad = stablehlo.transpose %l2.attn.context.heads.grad.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l2.attn.v.grad = stablehlo.dot_general %l2.attn.prob, %l2.attn.context.heads.grad, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l2.attn.prob.grad = stablehlo.dot_general %l2.attn.context.heads.grad, %l2.attn.v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
      : (tensor<32x4x64x16xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x64xf32>
  %l2.attn.prob.grad.prob = stablehlo.multiply %l2.attn.prob.grad, %l2.attn.prob : tensor<32x4x64x64xf32>
  %l2.attn.prob.grad.sum = stablehlo.reduce(%l2.attn.prob.grad.prob init: %zero) applies stablehlo.add across dimensions = [3]
      : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l2.attn.prob.grad.negsum = stablehlo.negate %l2.attn.prob.grad.sum : tensor<32x4x64xf32>
  %l2.attn.prob.grad.negsum.b = stablehlo.broadcast_in_dim %l2.attn.prob.grad.negsum, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l2.attn.prob.grad.centered = stablehlo.add %l2.attn.prob.grad, %l2.attn.prob.grad.negsum.b : tensor<32x4x64x64xf32>
  %l2.attn.score.grad = stablehlo.multiply %l2.attn.prob, %l2.attn.prob.grad.centered : tensor<32x4x64x64xf32>
  %l2.attn.score.raw.grad = stablehlo.multiply %l2.attn.score.grad, %attn_scale.32x4x64x64 : tensor<32x4x64x64xf32>
  %l2.attn.q.grad = stablehlo.dot_general %l2.attn.score.raw.grad, %l2.attn.k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l2.attn.k.grad = stablehlo.dot_general %l2.attn.score.raw.grad, %l2.attn.q, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l2.attn.v.flat.grad.merged = stablehlo.transpose %l2.attn.v.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l2.attn.v.flat.grad = stablehlo.reshape %l2.attn.v.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l2.attn.wv.grad = stablehlo.dot_general %l2.ln1, %l2.attn.v.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l2.attn.wv.step = stablehlo.multiply %l2.attn.wv.grad, %lr.64x64 : tensor<64x64xf32>
  %l2.attn.wv.new = stablehlo.subtract %l2.attn.wv, %l2.attn.wv.step : tensor<64x64xf32>
  %l2.ln1.grad.v = stablehlo.dot_general %l2.attn.v.flat.grad, %l2.attn.wv, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l2.attn.q.flat.grad.merged = stablehlo.transpose %l2.attn.q.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l2.attn.q.flat.grad = stablehlo.reshape %l2.attn.q.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l2.attn.wq.grad = stablehlo.dot_general %l2.ln1, %l2.attn.q.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l2.attn.wq.step = stablehlo.multiply %l2.attn.wq.grad, %lr.64x64 : tensor<64x64xf32>
  %l2.attn.wq.new = stablehlo.subtract %l2.attn.wq, %l2.attn.wq.step : tensor<64x64xf32>
  %l2.ln1.grad.q = stablehlo.dot_general %l2.attn.q.flat.grad, %l2.attn.wq, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l2.ln1.grad.vq = stablehlo.add %l2.ln1.grad.v, %l2.ln1.grad.q : tensor<32x64x64xf32>
  %l2.attn.k.flat.grad.merged = stablehlo.transpose %l2.attn.k.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l2.attn.k.flat.grad = stablehlo.reshape %l2.attn.k.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l2.attn.wk.grad = stablehlo.dot_general %l2.ln1, %l2.attn.k.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l2.attn.wk.step = stablehlo.multiply %l2.attn.wk.grad, %lr.64x64 : tensor<64x64xf32>
  %l2.attn.wk.new = stablehlo.subtract %l2.attn.wk, %l2.attn.wk.step : tensor<64x64xf32>
  %l2.ln1.grad.k = stablehlo.dot_general %l2.attn.k.flat.grad, %l2.attn.wk, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l2.ln1.grad = stablehlo.add %l2.ln1.grad.vq, %l2.ln1.grad.k : tensor<32x64x64xf32>
  %l2.ln1.beta.grad = stablehlo.reduce(%l2.ln1.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l2.ln1.beta.step = stablehlo.multiply %l2.ln1.beta.grad, %lr.64 : tensor<64xf32>
  %l2.ln1.beta.new = stablehlo.subtract %l2.ln1.beta, %l2.ln1.beta.step : tensor<64xf32>
  %l2.ln1.grad.norm = stablehlo.multiply %l2.ln1.grad, %l2.ln1.norm : tensor<32x64x64xf32>
  %l2.ln1.gamma.grad = stablehlo.reduce(%l2.ln1.grad.norm init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l2.ln1.gamma.step = stablehlo.multiply %l2.ln1.gamma.grad, %lr.64 : tensor<64xf32>
  %l2.ln1.gamma.new = stablehlo.subtract %l2.ln1.gamma, %l2.ln1.gamma.step : tensor<64xf32>
  %l2.ln1.gamma.bwd.b = stablehlo.broadcast_in_dim %l2.ln1.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l2.ln1.norm.grad = stablehlo.multiply %l2.ln1.grad, %l2.ln1.gamma.bwd.b : tensor<32x64x64xf32>
  %l2.ln1.norm.grad.sum = stablehlo.reduce(%l2.ln1.norm.grad init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l2.ln1.norm.grad.negmean = stablehlo.multiply %l2.ln1.norm.grad.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l2.ln1.norm.grad.norm = stablehlo.multiply %l2.ln1.norm.grad, %l2.ln1.norm : tensor<32x64x64xf32>
  %l2.ln1.proj.sum = stablehlo.reduce(%l2.ln1.norm.grad.norm init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l2.ln1.proj.negmean = stablehlo.multiply %l2.ln1.proj.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l2.ln1.norm.grad.negmean.b = stablehlo.broadcast_in_dim %l2.ln1.norm.grad.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l2.ln1.norm.grad.centered = stablehlo.add %l2.ln1.norm.grad, %l2.ln1.norm.grad.negmean.b : tensor<32x64x64xf32>
  %l2.ln1.proj.negmean.b = stablehlo.broadcast_in_dim %l2.ln1.proj.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l2.ln1.proj = stablehlo.multiply %l2.ln1.norm, %l2.ln1.proj.negmean.b : tensor<32x64x64xf32>
  %l2.ln1.norm.grad.orthogonal = stablehlo.add %l2.ln1.norm.grad.centered, %l2.ln1.proj : tensor<32x64x64xf32>
  %l2.ln1.in.grad = stablehlo.multiply %l2.ln1.norm.grad.orthogonal, %l2.ln1.rstd.b : tensor<32x64x64xf32>
  %l1.out.grad = stablehlo.add %l2.attn.residual.grad, %l2.ln1.in.grad : tensor<32x64x64xf32>

  // Layer 1: backward of the MLP and its layer norm, with updates.
  %l1.mlp.b2.grad = stablehlo.reduce(%l1.out.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l1.mlp.b2.step = stablehlo.multiply %l1.mlp.b2.grad, %lr.64 : tensor<64xf32>
  %l1.mlp.b2.new = stablehlo.subtract %l1.mlp.b2, %l1.mlp.b2.step : tensor<64xf32>
  %l1.mlp.w2.grad = stablehlo.dot_general %l1.mlp.gelu, %l1.out.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x256xf32>, tensor<32x64x64xf32>) -> tensor<256x64xf32>
  %l1.mlp.w2.step = stablehlo.multiply %l1.mlp.w2.grad, %lr.256x64 : tensor<256x64xf32>
  %l1.mlp.w2.new = stablehlo.subtract %l1.mlp.w2, %l1.mlp.w2.step : tensor<256x64xf32>
  %l1.mlp.gelu.grad = stablehlo.dot_general %l1.out.grad, %l1.mlp.w2, contracting_dims = [2] x [1] : (tensor<32x64x64xf32>, tensor<256x64xf32>) -> tensor<32x64x256xf32>
  %l1.mlp.gelu.tanh2 = stablehlo.multiply %l1.mlp.gelu.tanh, %l1.mlp.gelu.tanh : tensor<32x64x256xf32>
  %l1.mlp.gelu.sech2 = stablehlo.subtract %one.32x64x256, %l1.mlp.gelu.tanh2 : tensor<32x64x256xf32>
  %l1.mlp.gelu.sq.scaled = stablehlo.multiply %l1.mlp.gelu.sq, %gelu_cubic3.32x64x256 : tensor<32x64x256xf32>
  %l1.mlp.gelu.poly.slope = stablehlo.add %one.32x64x256, %l1.mlp.gelu.sq.scaled : tensor<32x64x256xf32>
  %l1.mlp.gelu.arg.slope = stablehlo.multiply %l1.mlp.gelu.poly.slope, %gelu_scale.32x64x256 : tensor<32x64x256xf32>
  %l1.mlp.gelu.gate.bwd = stablehlo.add %l1.mlp.gelu.tanh, %one.32x64x256 : tensor<32x64x256xf32>
  %l1.mlp.gelu.gate.half = stablehlo.multiply %l1.mlp.gelu.gate.bwd, %half.32x64x256 : tensor<32x64x256xf32>
  %l1.mlp.gelu.half.sech2 = stablehlo.multiply %l1.mlp.gelu.half, %l1.mlp.gelu.sech2 : tensor<32x64x256xf32>
  %l1.mlp.gelu.tail = stablehlo.multiply %l1.mlp.gelu.half.sech2, %l1.mlp.gelu.arg.slope : tensor<32x64x256xf32>
  %l1.mlp.gelu.slope = stablehlo.add %l1.mlp.gelu.gate.half, %l1.mlp.gelu.tail : tensor<32x64x256xf32>
  %l1.mlp.gelu.in.grad = stablehlo.multiply %l1.mlp.gelu.grad, %l1.mlp.gelu.slope : tensor<32x64x256xf32>
  %l1.mlp.b1.grad = stablehlo.reduce(%l1.mlp.gelu.in.grad init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x256xf32>, tensor<f32>) -> tensor<256xf32>
  %l1.mlp.b1.step = stablehlo.multiply %l1.mlp.b1.grad, %lr.256 : tensor<256xf32>
  %l1.mlp.b1.new = stablehlo.subtract %l1.mlp.b1, %l1.mlp.b1.step : tensor<256xf32>
  %l1.mlp.w1.grad = stablehlo.dot_general %l1.ln2, %l1.mlp.gelu.in.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x256xf32>) -> tensor<64x256xf32>
  %l1.mlp.w1.step = stablehlo.multiply %l1.mlp.w1.grad, %lr.64x256 : tensor<64x256xf32>
  %l1.mlp.w1.new = stablehlo.subtract %l1.mlp.w1, %l1.mlp.w1.step : tensor<64x256xf32>
  %l1.ln2.grad = stablehlo.dot_general %l1.mlp.gelu.in.grad, %l1.mlp.w1, contracting_dims = [2] x [1]
      : (tensor<32x64x256xf32>, tensor<64x256xf32>) -> tensor<32x64x64xf32>
  %l1.ln2.beta.grad = stablehlo.reduce(%l1.ln2.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l1.ln2.beta.step = stablehlo.multiply %l1.ln2.beta.grad, %lr.64 : tensor<64xf32>
  %l1.ln2.beta.new = stablehlo.subtract %l1.ln2.beta, %l1.ln2.beta.step : tensor<64xf32>
  %l1.ln2.grad.norm = stablehlo.multiply %l1.ln2.grad, %l1.ln2.norm : tensor<32x64x64xf32>
  %l1.ln2.gamma.grad = stablehlo.reduce(%l1.ln2.grad.norm init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l1.ln2.gamma.step = stablehlo.multiply %l1.ln2.gamma.grad, %lr.64 : tensor<64xf32>
  %l1.ln2.gamma.new = stablehlo.subtract %l1.ln2.gamma, %l1.ln2.gamma.step : tensor<64xf32>
  %l1.ln2.gamma.bwd.b = stablehlo.broadcast_in_dim %l1.ln2.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l1.ln2.norm.grad = stablehlo.multiply %l1.ln2.grad, %l1.ln2.gamma.bwd.b : tensor<32x64x64xf32>
  %l1.ln2.norm.grad.sum = stablehlo.reduce(%l1.ln2.norm.grad init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l1.ln2.norm.grad.negmean = stablehlo.multiply %l1.ln2.norm.grad.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l1.ln2.norm.grad.norm = stablehlo.multiply %l1.ln2.norm.grad, %l1.ln2.norm : tensor<32x64x64xf32>
  %l1.ln2.proj.sum = stablehlo.reduce(%l1.ln2.norm.grad.norm init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l1.ln2.proj.negmean = stablehlo.multiply %l1.ln2.proj.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l1.ln2.norm.grad.negmean.b = stablehlo.broadcast_in_dim %l1.ln2.norm.grad.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l1.ln2.norm.grad.centered = stablehlo.add %l1.ln2.norm.grad, %l1.ln2.norm.grad.negmean.b : tensor<32x64x64xf32>
  %l1.ln2.proj.negmean.b = stablehlo.broadcast_in_dim %l1.ln2.proj.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l1.ln2.proj = stablehlo.multiply %l1.ln2.norm, %l1.ln2.proj.negmean.b : tensor<32x64x64xf32>
  %l1.ln2.norm.grad.orthogonal = stablehlo.add %l1.ln2.norm.grad.centered, %l1.ln2.proj : tensor<32x64x64xf32>
  %l1.ln2.in.grad = stablehlo.multiply %l1.ln2.norm.grad.orthogonal, %l1.ln2.rstd.b : tensor<32x64x64xf32>
  %l1.attn.residual.grad = stablehlo.add %l1.out.grad, %l1.ln2.in.grad : tensor<32x64x64xf32>

  // Layer 1: backward of the attention and its layer norm, with updates.
  %l1.attn.wo.grad = stablehlo.dot_general %l1.attn.context, %l1.attn.residual.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l1.attn.wo.step = stablehlo.multiply %l1.attn.wo.grad, %lr.64x64 : tensor<64x64xf32>
  %l1.attn.wo.new = stablehlo.subtract %l1.attn.wo, %l1.attn.wo.step : tensor<64x64xf32>
  %l1.attn.context.grad = stablehlo.dot_general %l1.attn.residual.grad, %l1.attn.wo, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l1.attn.context.heads.grad.split = stablehlo.reshape %l1.attn.context.grad : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l1.attn.context.heads.grad = stablehlo.transpose %l1.attn.context.heads.grad.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l1.attn.v.grad = stablehlo.dot_general %l1.attn.prob, %l1.attn.context.heads.grad, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l1.attn.prob.grad = stablehlo.dot_general %l1.attn.context.heads.grad, %l1.attn.v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
      : (tensor<32x4x64x16xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x64xf32>
  %l1.attn.prob.grad.prob = stablehlo.multiply %l1.attn.prob.grad, %l1.attn.prob : tensor<32x4x64x64xf32>
  %l1.attn.prob.grad.sum = stablehlo.reduce(%l1.attn.prob.grad.prob init: %zero) applies stablehlo.add across dimensions = [3]
      : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l1.attn.prob.grad.negsum = stablehlo.negate %l1.attn.prob.grad.sum : tensor<32x4x64xf32>
  %l1.attn.prob.grad.negsum.b = stablehlo.broadcast_in_dim %l1.attn.prob.grad.negsum, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l1.attn.prob.grad.centered = stablehlo.add %l1.attn.prob.grad, %l1.attn.prob.grad.negsum.b : tensor<32x4x64x64xf32>
  %l1.attn.score.grad = stablehlo.multiply %l1.attn.prob, %l1.attn.prob.grad.centered : tensor<32x4x64x64xf32>
  %l1.attn.score.raw.grad = stablehlo.multiply %l1.attn.score.grad, %attn_scale.32x4x64x64 : tensor<32x4x64x64xf32>
  %l1.attn.q.grad = stablehlo.dot_general %l1.attn.score.raw.grad, %l1.attn.k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l1.attn.k.grad = stablehlo.dot_general %l1.attn.score.raw.grad, %l1.attn.q, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l1.attn.v.flat.grad.merged = stablehlo.transpose %l1.attn.v.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l1.attn.v.flat.grad = stablehlo.reshape %l1.attn.v.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l1.attn.wv.grad = stablehlo.dot_general %l1.ln1, %l1.attn.v.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l1.attn.wv.step = stablehlo.multiply %l1.attn.wv.grad, %lr.64x64 : tensor<64x64xf32>
  %l1.attn.wv.new = stablehlo.subtract %l1.attn.wv, %l1.attn.wv.step : tensor<64x64xf32>
  %l1.ln1.grad.v = stablehlo.dot_general %l1.attn.v.flat.grad, %l1.attn.wv, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l1.attn.q.flat.grad.merged = stablehlo.transpose %l1.attn.q.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l1.attn.q.flat.grad = stablehlo.reshape %l1.attn.q.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l1.attn.wq.grad = stablehlo.dot_general %l1.ln1, %l1.attn.q.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l1.attn.wq.step = stablehlo.multiply %l1.attn.wq.grad, %lr.64x64 : tensor<64x64xf32>
  %l1.attn.wq.new = stablehlo.subtract %l1.attn.wq, %l1.attn.wq.step : tensor<64x64xf32>
  %l1.ln1.grad.q = stablehlo.dot_general %l1.attn.q.flat.grad, %l1.attn.wq, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l1.ln1.grad.vq = stablehlo.add %l1.ln1.grad.v, %l1.ln1.grad.q : tensor<32x64x64xf32>
  %l1.attn.k.flat.grad.merged = stablehlo.transpose %l1.attn.k.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l1.attn.k.flat.grad = stablehlo.reshape %l1.attn.k.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l1.attn.wk.grad = stablehlo.dot_general %l1.ln1, %l1.attn.k.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l1.attn.wk.step = stablehlo.multiply %l1.attn.wk.grad, %lr.64x64 : tensor<64x64xf32>
  %l1.attn.wk.new = stablehlo.subtract %l1.attn.wk, %l1.attn.wk.step : tensor<64x64xf32>
  %l1.ln1.grad.k = stablehlo.dot_general %l1.attn.k.flat.grad, %l1.attn.wk, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l1.ln1.grad = stablehlo.add %l1.ln1.grad.vq, %l1.ln1.grad.k : tensor<32x64x64xf32>
  %l1.ln1.beta.grad = stablehlo.reduce(%l1.ln1.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l1.ln1.beta.step = stablehlo.multiply %l1.ln1.beta.grad, %lr.64 : tensor<64xf32>
  %l1.ln1.beta.new = stablehlo.subtract %l1.ln1.beta, %l1.ln1.beta.step : tensor<64xf32>
  %l1.ln1.grad.norm = stablehlo.multiply %l1.ln1.grad, %l1.ln1.norm : tensor<32x64x64xf32>
  %l1.ln1.gamma.grad = stablehlo.reduce(%l1.ln1.grad.norm init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l1.ln1.gamma.step = stablehlo.multiply %l1.ln1.gamma.grad, %lr.64 : tensor<64xf32>
  %l1.ln1.gamma.new = stablehlo.subtract %l1.ln1.gamma, %l1.ln1.gamma.step : tensor<64xf32>
  %l1.ln1.gamma.bwd.b = stablehlo.broadcast_in_dim %l1.ln1.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l1.ln1.norm.grad = stablehlo.multiply %l1.ln1.grad, %l1.ln1.gamma.bwd.b : tensor<32x64x64xf32>
  %l1.ln1.norm.grad.sum = stablehlo.reduce(%l1.ln1.norm.grad init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l1.ln1.norm.grad.negmean = stablehlo.multiply %l1.ln1.norm.grad.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l1.ln1.norm.grad.norm = stablehlo.multiply %l1.ln1.norm.grad, %l1.ln1.norm : tensor<32x64x64xf32>
  %l1.ln1.proj.sum = stablehlo.reduce(%l1.ln1.norm.grad.norm init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l1.ln1.proj.negmean = stablehlo.multiply %l1.ln1.proj.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l1.ln1.norm.grad.negmean.b = stablehlo.broadcast_in_dim %l1.ln1.norm.grad.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l1.ln1.norm.grad.centered = stablehlo.add %l1.ln1.norm.grad, %l1.ln1.norm.grad.negmean.b : tensor<32x64x64xf32>
  %l1.ln1.proj.negmean.b = stablehlo.broadcast_in_dim %l1.ln1.proj.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l1.ln1.proj = stablehlo.multiply %l1.ln1.norm, %l1.ln1.proj.negmean.b : tensor<32x64x64xf32>
  %l1.ln1.norm.grad.orthogonal = stablehlo.add %l1.ln1.norm.grad.centered, %l1.ln1.proj : tensor<32x64x64xf32>
  %l1.ln1.in.grad = stablehlo.multiply %l1.ln1.norm.grad.orthogonal, %l1.ln1.rstd.b : tensor<32x64x64xf32>
  %l0.out.grad = stablehlo.add %l1.attn.residual.grad, %l1.ln1.in.grad : tensor<32x64x64xf32>

  // Layer 0: backward of the MLP and its layer norm, with updates.
  %l0.mlp.b2.grad = stablehlo.reduce(%l0.out.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l0.mlp.b2.step = stablehlo.multiply %l0.mlp.b2.grad, %lr.64 : tensor<64xf32>
  %l0.mlp.b2.new = stablehlo.subtract %l0.mlp.b2, %l0.mlp.b2.step : tensor<64xf32>
  %l0.mlp.w2.grad = stablehlo.dot_general %l0.mlp.gelu, %l0.out.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x256xf32>, tensor<32x64x64xf32>) -> tensor<256x64xf32>
  %l0.mlp.w2.step = stablehlo.multiply %l0.mlp.w2.grad, %lr.256x64 : tensor<256x64xf32>
  %l0.mlp.w2.new = stablehlo.subtract %l0.mlp.w2, %l0.mlp.w2.step : tensor<256x64xf32>
  %l0.mlp.gelu.grad = stablehlo.dot_general %l0.out.grad, %l0.mlp.w2, contracting_dims = [2] x [1] : (tensor<32x64x64xf32>, tensor<256x64xf32>) -> tensor<32x64x256xf32>
  %l0.mlp.gelu.tanh2 = stablehlo.multiply %l0.mlp.gelu.tanh, %l0.mlp.gelu.tanh : tensor<32x64x256xf32>
  %l0.mlp.gelu.sech2 = stablehlo.subtract %one.32x64x256, %l0.mlp.gelu.tanh2 : tensor<32x64x256xf32>
  %l0.mlp.gelu.sq.scaled = stablehlo.multiply %l0.mlp.gelu.sq, %gelu_cubic3.32x64x256 : tensor<32x64x256xf32>
  %l0.mlp.gelu.poly.slope = stablehlo.add %one.32x64x256, %l0.mlp.gelu.sq.scaled : tensor<32x64x256xf32>
  %l0.mlp.gelu.arg.slope = stablehlo.multiply %l0.mlp.gelu.poly.slope, %gelu_scale.32x64x256 : tensor<32x64x256xf32>
  %l0.mlp.gelu.gate.bwd = stablehlo.add %l0.mlp.gelu.tanh, %one.32x64x256 : tensor<32x64x256xf32>
  %l0.mlp.gelu.gate.half = stablehlo.multiply %l0.mlp.gelu.gate.bwd, %half.32x64x256 : tensor<32x64x256xf32>
  %l0.mlp.gelu.half.sech2 = stablehlo.multiply %l0.mlp.gelu.half, %l0.mlp.gelu.sech2 : tensor<32x64x256xf32>
  %l0.mlp.gelu.tail = stablehlo.multiply %l0.mlp.gelu.half.sech2, %l0.mlp.gelu.arg.slope : tensor<32x64x256xf32>
  %l0.mlp.gelu.slope = stablehlo.add %l0.mlp.gelu.gate.half, %l0.mlp.gelu.tail : tensor<32x64x256xf32>
  %l0.mlp.gelu.in.grad = stablehlo.multiply %l0.mlp.gelu.grad, %l0.mlp.gelu.slope : tensor<32x64x256xf32>
  %l0.mlp.b1.grad = stablehlo.reduce(%l0.mlp.gelu.in.grad init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x256xf32>, tensor<f32>) -> tensor<256xf32>
  %l0.mlp.b1.step = stablehlo.multiply %l0.mlp.b1.grad, %lr.256 : tensor<256xf32>
  %l0.mlp.b1.new = stablehlo.subtract %l0.mlp.b1, %l0.mlp.b1.step : tensor<256xf32>
  %l0.mlp.w1.grad = stablehlo.dot_general %l0.ln2, %l0.mlp.gelu.in.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x256xf32>) -> tensor<64x256xf32>
  %l0.mlp.w1.step = stablehlo.multiply %l0.mlp.w1.grad, %lr.64x256 : tensor<64x256xf32>
  %l0.mlp.w1.new = stablehlo.subtract %l0.mlp.w1, %l0.mlp.w1.step : tensor<64x256xf32>
  %l0.ln2.grad = stablehlo.dot_general %l0.mlp.gelu.in.grad, %l0.mlp.w1, contracting_dims = [2] x [1]
      : (tensor<32x64x256xf32>, tensor<64x256xf32>) -> tensor<32x64x64xf32>
  %l0.ln2.beta.grad = stablehlo.reduce(%l0.ln2.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l0.ln2.beta.step = stablehlo.multiply %l0.ln2.beta.grad, %lr.64 : tensor<64xf32>
  %l0.ln2.beta.new = stablehlo.subtract %l0.ln2.beta, %l0.ln2.beta.step : tensor<64xf32>
  %l0.ln2.grad.norm = stablehlo.multiply %l0.ln2.grad, %l0.ln2.norm : tensor<32x64x64xf32>
  %l0.ln2.gamma.grad = stablehlo.reduce(%l0.ln2.grad.norm init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l0.ln2.gamma.step = stablehlo.multiply %l0.ln2.gamma.grad, %lr.64 : tensor<64xf32>
  %l0.ln2.gamma.new = stablehlo.subtract %l0.ln2.gamma, %l0.ln2.gamma.step : tensor<64xf32>
  %l0.ln2.gamma.bwd.b = stablehlo.broadcast_in_dim %l0.ln2.gamma, dims = [2] : (tensor<64xf32>) -> tensor<32x64x64xf32>
  %l0.ln2.norm.grad = stablehlo.multiply %l0.ln2.grad, %l0.ln2.gamma.bwd.b : tensor<32x64x64xf32>
  %l0.ln2.norm.grad.sum = stablehlo.reduce(%l0.ln2.norm.grad init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l0.ln2.norm.grad.negmean = stablehlo.multiply %l0.ln2.norm.grad.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l0.ln2.norm.grad.norm = stablehlo.multiply %l0.ln2.norm.grad, %l0.ln2.norm : tensor<32x64x64xf32>
  %l0.ln2.proj.sum = stablehlo.reduce(%l0.ln2.norm.grad.norm init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %l0.ln2.proj.negmean = stablehlo.multiply %l0.ln2.proj.sum, %neg_inv_d.32x64 : tensor<32x64xf32>
  %l0.ln2.norm.grad.negmean.b = stablehlo.broadcast_in_dim %l0.ln2.norm.grad.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l0.ln2.norm.grad.centered = stablehlo.add %l0.ln2.norm.grad, %l0.ln2.norm.grad.negmean.b : tensor<32x64x64xf32>
  %l0.ln2.proj.negmean.b = stablehlo.broadcast_in_dim %l0.ln2.proj.negmean, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
  %l0.ln2.proj = stablehlo.multiply %l0.ln2.norm, %l0.ln2.proj.negmean.b : tensor<32x64x64xf32>
  %l0.ln2.norm.grad.orthogonal = stablehlo.add %l0.ln2.norm.grad.centered, %l0.ln2.proj : tensor<32x64x64xf32>
  %l0.ln2.in.grad = stablehlo.multiply %l0.ln2.norm.grad.orthogonal, %l0.ln2.rstd.b : tensor<32x64x64xf32>
  %l0.attn.residual.grad = stablehlo.add %l0.out.grad, %l0.ln2.in.grad : tensor<32x64x64xf32>

  // Layer 0: backward of the attention and its layer norm, with updates.
  %l0.attn.wo.grad = stablehlo.dot_general %l0.attn.context, %l0.attn.residual.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l0.attn.wo.step = stablehlo.multiply %l0.attn.wo.grad, %lr.64x64 : tensor<64x64xf32>
  %l0.attn.wo.new = stablehlo.subtract %l0.attn.wo, %l0.attn.wo.step : tensor<64x64xf32>
  %l0.attn.context.grad = stablehlo.dot_general %l0.attn.residual.grad, %l0.attn.wo, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l0.attn.context.heads.grad.split = stablehlo.reshape %l0.attn.context.grad : (tensor<32x64x64xf32>) -> tensor<32x64x4x16xf32>
  %l0.attn.context.heads.grad = stablehlo.transpose %l0.attn.context.heads.grad.split, dims = [0, 2, 1, 3] : (tensor<32x64x4x16xf32>) -> tensor<32x4x64x16xf32>
  %l0.attn.v.grad = stablehlo.dot_general %l0.attn.prob, %l0.attn.context.heads.grad, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l0.attn.prob.grad = stablehlo.dot_general %l0.attn.context.heads.grad, %l0.attn.v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
      : (tensor<32x4x64x16xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x64xf32>
  %l0.attn.prob.grad.prob = stablehlo.multiply %l0.attn.prob.grad, %l0.attn.prob : tensor<32x4x64x64xf32>
  %l0.attn.prob.grad.sum = stablehlo.reduce(%l0.attn.prob.grad.prob init: %zero) applies stablehlo.add across dimensions = [3]
      : (tensor<32x4x64x64xf32>, tensor<f32>) -> tensor<32x4x64xf32>
  %l0.attn.prob.grad.negsum = stablehlo.negate %l0.attn.prob.grad.sum : tensor<32x4x64xf32>
  %l0.attn.prob.grad.negsum.b = stablehlo.broadcast_in_dim %l0.attn.prob.grad.negsum, dims = [0, 1, 2] : (tensor<32x4x64xf32>) -> tensor<32x4x64x64xf32>
  %l0.attn.prob.grad.centered = stablehlo.add %l0.attn.prob.grad, %l0.attn.prob.grad.negsum.b : tensor<32x4x64x64xf32>
  %l0.attn.score.grad = stablehlo.multiply %l0.attn.prob, %l0.attn.prob.grad.centered : tensor<32x4x64x64xf32>
  %l0.attn.score.raw.grad = stablehlo.multiply %l0.attn.score.grad, %attn_scale.32x4x64x64 : tensor<32x4x64x64xf32>
  %l0.attn.q.grad = stablehlo.dot_general %l0.attn.score.raw.grad, %l0.attn.k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l0.attn.k.grad = stablehlo.dot_general %l0.attn.score.raw.grad, %l0.attn.q, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<32x4x64x64xf32>, tensor<32x4x64x16xf32>) -> tensor<32x4x64x16xf32>
  %l0.attn.v.flat.grad.merged = stablehlo.transpose %l0.attn.v.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l0.attn.v.flat.grad = stablehlo.reshape %l0.attn.v.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l0.attn.wv.grad = stablehlo.dot_general %l0.ln1, %l0.attn.v.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l0.attn.wv.step = stablehlo.multiply %l0.attn.wv.grad, %lr.64x64 : tensor<64x64xf32>
  %l0.attn.wv.new = stablehlo.subtract %l0.attn.wv, %l0.attn.wv.step : tensor<64x64xf32>
  %l0.ln1.grad.v = stablehlo.dot_general %l0.attn.v.flat.grad, %l0.attn.wv, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l0.attn.q.flat.grad.merged = stablehlo.transpose %l0.attn.q.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l0.attn.q.flat.grad = stablehlo.reshape %l0.attn.q.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l0.attn.wq.grad = stablehlo.dot_general %l0.ln1, %l0.attn.q.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l0.attn.wq.step = stablehlo.multiply %l0.attn.wq.grad, %lr.64x64 : tensor<64x64xf32>
  %l0.attn.wq.new = stablehlo.subtract %l0.attn.wq, %l0.attn.wq.step : tensor<64x64xf32>
  %l0.ln1.grad.q = stablehlo.dot_general %l0.attn.q.flat.grad, %l0.attn.wq, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l0.ln1.grad.vq = stablehlo.add %l0.ln1.grad.v, %l0.ln1.grad.q : tensor<32x64x64xf32>
  %l0.attn.k.flat.grad.merged = stablehlo.transpose %l0.attn.k.grad, dims = [0, 2, 1, 3] : (tensor<32x4x64x16xf32>) -> tensor<32x64x4x16xf32>
  %l0.attn.k.flat.grad = stablehlo.reshape %l0.attn.k.flat.grad.merged : (tensor<32x64x4x16xf32>) -> tensor<32x64x64xf32>
  %l0.attn.wk.grad = stablehlo.dot_general %l0.ln1, %l0.attn.k.flat.grad, contracting_dims = [0, 1] x [0, 1]
      : (tensor<32x64x64xf32>, tensor<32x64x64xf32>) -> tensor<64x64xf32>
  %l0.attn.wk.step = stablehlo.multiply %l0.attn.wk.grad, %lr.64x64 : tensor<64x64xf32>
  %l0.attn.wk.new = stablehlo.subtract %l0.attn.wk, %l0.attn.wk.step : tensor<64x64xf32>
  %l0.ln1.grad.k = stablehlo.dot_general %l0.attn.k.flat.grad, %l0.attn.wk, contracting_dims = [2] x [1]
      : (tensor<32x64x64xf32>, tensor<64x64xf32>) -> tensor<32x64x64xf32>
  %l0.ln1.grad = stablehlo.add %l0.ln1.grad.vq, %l0.ln1.grad.k : tensor<32x64x64xf32>
  %l0.ln1.beta.grad = stablehlo.reduce(%l0.ln1.grad init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l0.ln1.beta.step = stablehlo.multiply %l0.ln1.beta.grad, %lr.64 : tensor<64xf32>
  %l0.ln1.beta.new = stablehlo.subtract %l0.ln1.beta, %l0.ln1.beta.step : tensor<64xf32>
  %l0.ln1.grad.norm = stablehlo.multiply %l0.ln1.grad, %l0.ln1.norm : tensor<32x64x64xf32>
  %l0.ln1.gamma.grad = stablehlo.reduce(%l0.ln1.grad.norm init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %l0.ln1.gamma.step = stablehlo.multiply %l0.ln1.gamma.grad, %lr.64 : tensor<64xf32>
  %l0.ln1.gamma.new = stablehlo.subtract %l0.ln1.gamma, %l0.ln1.gamma.step : tensor<64xf32>

  return %l0.ln1.gamma.new, %l0.ln1.beta.new, %l0.attn.wq.new, %l0.attn.wk.new, %l0.attn.wv.new,
      %l0.attn.wo.new, %l0.ln2.gamma.new, %l0.ln2.beta.new, %l0.mlp.w1.new, %l0.mlp.b1.new,
      %l0.mlp.w2.new, %l0.mlp.b2.new, %l1.ln1.gamma.new, %l1.ln1.beta.new, %l1.attn.wq.new,
      %l1.attn.wk.new, %l1.attn.wv.new, %l1.attn.wo.new, %l1.ln2.gamma.new, %l1.ln2.beta.new,
      %l1.mlp.w1.new, %l1.mlp.b1.new, %l1.mlp.w2.new, %l1.mlp.b2.new, %l2.ln1.gamma.new,
      %l2.ln1.beta.new, %l2.attn.wq.new, %l2.attn.wk.new, %l2.attn.wv.new, %l2.attn.wo.new,
      %l2.ln2.gamma.new, %l2.ln2.beta.new, %l2.mlp.w1.new, %l2.mlp.b1.new, %l2.mlp.w2.new,
      %l2.mlp.b2.new, %l3.ln1.gamma.new, %l3.ln1.beta.new, %l3.attn.wq.new, %l3.attn.wk.new,
      %l3.attn.wv.new, %l3.attn.wo.new, %l3.ln2.gamma.new, %l3.ln2.beta.new, %l3.mlp.w1.new,
      %l3.mlp.b1.new, %l3.mlp.w2.new, %l3.mlp.b2.new, %l4.ln1.gamma.new, %l4.ln1.beta.new,
      %l4.attn.wq.new, %l4.attn.wk.new, %l4.attn.wv.new, %l4.attn.wo.new, %l4.ln2.gamma.new,
      %l4.ln2.beta.new, %l4.mlp.w1.new, %l4.mlp.b1.new, %l4.mlp.w2.new, %l4.mlp.b2.new,
      %l5.ln1.gamma.new, %l5.ln1.beta.new, %l5.attn.wq.new, %l5.attn.wk.new, %l5.attn.wv.new,
      %l5.attn.wo.new, %l5.ln2.gamma.new, %l5.ln2.beta.new, %l5.mlp.w1.new, %l5.mlp.b1.new,
      %l5.mlp.w2.new, %l5.mlp.b2.new, %head.ln.gamma.new, %head.ln.beta.new, %head.w.new, %loss
    : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>,
      tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x256xf32>, tensor<256xf32>,
      tensor<256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>,
      tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>,
      tensor<64x256xf32>, tensor<256xf32>, tensor<256x64xf32>, tensor<64xf32>, tensor<64xf32>,
      tensor<64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>,
      tensor<64xf32>, tensor<64xf32>, tensor<64x256xf32>, tensor<256xf32>, tensor<256x64xf32>,
      tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<64x64xf32>,
      tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x256xf32>,
      tensor<256xf32>, tensor<256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>,
      tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>,
      tensor<64xf32>, tensor<64x256xf32>, tensor<256xf32>, tensor<256x64xf32>, tensor<64xf32>,
      tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>,
      tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x256xf32>, tensor<256xf32>,
      tensor<256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x32xf32>,
      tensor<f32>
}
}
