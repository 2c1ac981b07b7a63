// Training step of a multilayer perceptron: 16 dense layers without bias, each
// followed by ReLU; mean squared error; plain SGD with learning rate 0.01.
//
// Every layer maps 8192x128 to 8192x128, so each activation takes 4 MiB and each
// weight 64 KiB. A weight is updated right after its gradient, so that no
// gradient lives to the end of the step.
//
//   %x   tensor<8192x128xf32>  input
//   %t   tensor<8192x128xf32>  target
//   %wI  tensor<128x128xf32>   weight of layer I, input feature first (16 of them)
//
// Results: the 16 new weights in the order of the arguments, then the loss.
//
// To run it:
//   iree-compile --iree-hal-target-device=local \
//     --iree-hal-local-target-device-backends=llvm-cpu \
//     --iree-llvmcpu-target-cpu=host mlp.mlir -o mlp.vmfb
//   iree-run-module --device=local-sync --module=mlp.vmfb --function=main \
//     --input=8192x128xf32=0.5 --input=8192x128xf32=0.25 \
//     $(for i in $(seq 16); do echo --input=128x128xf32=0.01; done) \
//     --print_statistics

module @mlp {
func.func @main(
    %x: tensor<8192x128xf32>,
    %t: tensor<8192x128xf32>,
    %w0: tensor<128x128xf32>,
    %w1: tensor<128x128xf32>,
    %w2: tensor<128x128xf32>,
    %w3: tensor<128x128xf32>,
    %w4: tensor<128x128xf32>,
    %w5: tensor<128x128xf32>,
    %w6: tensor<128x128xf32>,
    %w7: tensor<128x128xf32>,
    %w8: tensor<128x128xf32>,
    %w9: tensor<128x128xf32>,
    %w10: tensor<128x128xf32>,
    %w11: tensor<128x128xf32>,
    %w12: tensor<128x128xf32>,
    %w13: tensor<128x128xf32>,
    %w14: tensor<128x128xf32>,
    %w15: tensor<128x128xf32>
  ) -> (
    tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>,
    tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>,
    tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>,
    tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<f32>
  ) {
  %zero.8192x128 = stablehlo.constant dense<0.0> : tensor<8192x128xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %inv_count = stablehlo.constant dense<9.5367431640625e-07> : tensor<f32>
  %two_inv_count.8192x128 = stablehlo.constant dense<1.9073486328125e-06> : tensor<8192x128xf32>
  %lr.128x128 = stablehlo.constant dense<0.01> : tensor<128x128xf32>

  // Layer 0: forward.
  %l0.pre = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l0.out = stablehlo.maximum %l0.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 1: forward.
  %l1.pre = stablehlo.dot_general %l0.out, %w1, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l1.out = stablehlo.maximum %l1.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 2: forward.
  %l2.pre = stablehlo.dot_general %l1.out, %w2, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l2.out = stablehlo.maximum %l2.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 3: forward.
  %l3.pre = stablehlo.dot_general %l2.out, %w3, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l3.out = stablehlo.maximum %l3.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 4: forward.
  %l4.pre = stablehlo.dot_general %l3.out, %w4, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l4.out = stablehlo.maximum %l4.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 5: forward.
  %l5.pre = stablehlo.dot_general %l4.out, %w5, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l5.out = stablehlo.maximum %l5.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 6: forward.
  %l6.pre = stablehlo.dot_general %l5.out, %w6, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l6.out = stablehlo.maximum %l6.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 7: forward.
  %l7.pre = stablehlo.dot_general %l6.out, %w7, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l7.out = stablehlo.maximum %l7.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 8: forward.
  %l8.pre = stablehlo.dot_general %l7.out, %w8, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l8.out = stablehlo.maximum %l8.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 9: forward.
  %l9.pre = stablehlo.dot_general %l8.out, %w9, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l9.out = stablehlo.maximum %l9.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 10: forward.
  %l10.pre = stablehlo.dot_general %l9.out, %w10, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l10.out = stablehlo.maximum %l10.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 11: forward.
  %l11.pre = stablehlo.dot_general %l10.out, %w11, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l11.out = stablehlo.maximum %l11.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 12: forward.
  %l12.pre = stablehlo.dot_general %l11.out, %w12, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l12.out = stablehlo.maximum %l12.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 13: forward.
  %l13.pre = stablehlo.dot_general %l12.out, %w13, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l13.out = stablehlo.maximum %l13.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 14: forward.
  %l14.pre = stablehlo.dot_general %l13.out, %w14, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l14.out = stablehlo.maximum %l14.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Layer 15: forward.
  %l15.pre = stablehlo.dot_general %l14.out, %w15, contracting_dims = [1] x [0] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
  %l15.out = stablehlo.maximum %l15.pre, %zero.8192x128 : tensor<8192x128xf32>

  // Mean squared error and its gradient.
  %diff = stablehlo.subtract %l15.out, %t : tensor<8192x128xf32>
  %diff.sq = stablehlo.multiply %diff, %diff : tensor<8192x128xf32>
  %diff.sq.rows = stablehlo.reduce(%diff.sq init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8192x128xf32>, tensor<f32>) -> tensor<8192xf32>
  %diff.sq.total = stablehlo.reduce(%diff.sq.rows init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8192xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.multiply %diff.sq.total, %inv_count : tensor<f32>
  %l15.out.grad = stablehlo.multiply %diff, %two_inv_count.8192x128 : tensor<8192x128xf32>

  // Layer 15: backward, then the update of its weight.
  %l15.pre.grad.mask = stablehlo.compare GT, %l15.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l15.pre.grad = stablehlo.select %l15.pre.grad.mask, %l15.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w15.grad = stablehlo.dot_general %l14.out, %l15.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w15.step = stablehlo.multiply %w15.grad, %lr.128x128 : tensor<128x128xf32>
  %w15.new = stablehlo.subtract %w15, %w15.step : tensor<128x128xf32>
  %l14.out.grad = stablehlo.dot_general %l15.pre.grad, %w15, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 14: backward, then the update of its weight.
  %l14.pre.grad.mask = stablehlo.compare GT, %l14.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l14.pre.grad = stablehlo.select %l14.pre.grad.mask, %l14.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w14.grad = stablehlo.dot_general %l13.out, %l14.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w14.step = stablehlo.multiply %w14.grad, %lr.128x128 : tensor<128x128xf32>
  %w14.new = stablehlo.subtract %w14, %w14.step : tensor<128x128xf32>
  %l13.out.grad = stablehlo.dot_general %l14.pre.grad, %w14, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 13: backward, then the update of its weight.
  %l13.pre.grad.mask = stablehlo.compare GT, %l13.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l13.pre.grad = stablehlo.select %l13.pre.grad.mask, %l13.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w13.grad = stablehlo.dot_general %l12.out, %l13.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w13.step = stablehlo.multiply %w13.grad, %lr.128x128 : tensor<128x128xf32>
  %w13.new = stablehlo.subtract %w13, %w13.step : tensor<128x128xf32>
  %l12.out.grad = stablehlo.dot_general %l13.pre.grad, %w13, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 12: backward, then the update of its weight.
  %l12.pre.grad.mask = stablehlo.compare GT, %l12.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l12.pre.grad = stablehlo.select %l12.pre.grad.mask, %l12.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w12.grad = stablehlo.dot_general %l11.out, %l12.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w12.step = stablehlo.multiply %w12.grad, %lr.128x128 : tensor<128x128xf32>
  %w12.new = stablehlo.subtract %w12, %w12.step : tensor<128x128xf32>
  %l11.out.grad = stablehlo.dot_general %l12.pre.grad, %w12, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 11: backward, then the update of its weight.
  %l11.pre.grad.mask = stablehlo.compare GT, %l11.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l11.pre.grad = stablehlo.select %l11.pre.grad.mask, %l11.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w11.grad = stablehlo.dot_general %l10.out, %l11.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w11.step = stablehlo.multiply %w11.grad, %lr.128x128 : tensor<128x128xf32>
  %w11.new = stablehlo.subtract %w11, %w11.step : tensor<128x128xf32>
  %l10.out.grad = stablehlo.dot_general %l11.pre.grad, %w11, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 10: backward, then the update of its weight.
  %l10.pre.grad.mask = stablehlo.compare GT, %l10.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l10.pre.grad = stablehlo.select %l10.pre.grad.mask, %l10.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w10.grad = stablehlo.dot_general %l9.out, %l10.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w10.step = stablehlo.multiply %w10.grad, %lr.128x128 : tensor<128x128xf32>
  %w10.new = stablehlo.subtract %w10, %w10.step : tensor<128x128xf32>
  %l9.out.grad = stablehlo.dot_general %l10.pre.grad, %w10, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 9: backward, then the update of its weight.
  %l9.pre.grad.mask = stablehlo.compare GT, %l9.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l9.pre.grad = stablehlo.select %l9.pre.grad.mask, %l9.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w9.grad = stablehlo.dot_general %l8.out, %l9.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w9.step = stablehlo.multiply %w9.grad, %lr.128x128 : tensor<128x128xf32>
  %w9.new = stablehlo.subtract %w9, %w9.step : tensor<128x128xf32>
  %l8.out.grad = stablehlo.dot_general %l9.pre.grad, %w9, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 8: backward, then the update of its weight.
  %l8.pre.grad.mask = stablehlo.compare GT, %l8.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l8.pre.grad = stablehlo.select %l8.pre.grad.mask, %l8.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w8.grad = stablehlo.dot_general %l7.out, %l8.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w8.step = stablehlo.multiply %w8.grad, %lr.128x128 : tensor<128x128xf32>
  %w8.new = stablehlo.subtract %w8, %w8.step : tensor<128x128xf32>
  %l7.out.grad = stablehlo.dot_general %l8.pre.grad, %w8, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 7: backward, then the update of its weight.
  %l7.pre.grad.mask = stablehlo.compare GT, %l7.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l7.pre.grad = stablehlo.select %l7.pre.grad.mask, %l7.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w7.grad = stablehlo.dot_general %l6.out, %l7.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w7.step = stablehlo.multiply %w7.grad, %lr.128x128 : tensor<128x128xf32>
  %w7.new = stablehlo.subtract %w7, %w7.step : tensor<128x128xf32>
  %l6.out.grad = stablehlo.dot_general %l7.pre.grad, %w7, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 6: backward, then the update of its weight.
  %l6.pre.grad.mask = stablehlo.compare GT, %l6.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l6.pre.grad = stablehlo.select %l6.pre.grad.mask, %l6.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w6.grad = stablehlo.dot_general %l5.out, %l6.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w6.step = stablehlo.multiply %w6.grad, %lr.128x128 : tensor<128x128xf32>
  %w6.new = stablehlo.subtract %w6, %w6.step : tensor<128x128xf32>
  %l5.out.grad = stablehlo.dot_general %l6.pre.grad, %w6, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 5: backward, then the update of its weight.
  %l5.pre.grad.mask = stablehlo.compare GT, %l5.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l5.pre.grad = stablehlo.select %l5.pre.grad.mask, %l5.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w5.grad = stablehlo.dot_general %l4.out, %l5.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w5.step = stablehlo.multiply %w5.grad, %lr.128x128 : tensor<128x128xf32>
  %w5.new = stablehlo.subtract %w5, %w5.step : tensor<128x128xf32>
  %l4.out.grad = stablehlo.dot_general %l5.pre.grad, %w5, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 4: backward, then the update of its weight.
  %l4.pre.grad.mask = stablehlo.compare GT, %l4.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l4.pre.grad = stablehlo.select %l4.pre.grad.mask, %l4.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w4.grad = stablehlo.dot_general %l3.out, %l4.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w4.step = stablehlo.multiply %w4.grad, %lr.128x128 : tensor<128x128xf32>
  %w4.new = stablehlo.subtract %w4, %w4.step : tensor<128x128xf32>
  %l3.out.grad = stablehlo.dot_general %l4.pre.grad, %w4, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 3: backward, then the update of its weight.
  %l3.pre.grad.mask = stablehlo.compare GT, %l3.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l3.pre.grad = stablehlo.select %l3.pre.grad.mask, %l3.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w3.grad = stablehlo.dot_general %l2.out, %l3.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w3.step = stablehlo.multiply %w3.grad, %lr.128x128 : tensor<128x128xf32>
  %w3.new = stablehlo.subtract %w3, %w3.step : tensor<128x128xf32>
  %l2.out.grad = stablehlo.dot_general %l3.pre.grad, %w3, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 2: backward, then the update of its weight.
  %l2.pre.grad.mask = stablehlo.compare GT, %l2.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l2.pre.grad = stablehlo.select %l2.pre.grad.mask, %l2.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w2.grad = stablehlo.dot_general %l1.out, %l2.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w2.step = stablehlo.multiply %w2.grad, %lr.128x128 : tensor<128x128xf32>
  %w2.new = stablehlo.subtract %w2, %w2.step : tensor<128x128xf32>
  %l1.out.grad = stablehlo.dot_general %l2.pre.grad, %w2, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 1: backward, then the update of its weight.
  %l1.pre.grad.mask = stablehlo.compare GT, %l1.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l1.pre.grad = stablehlo.select %l1.pre.grad.mask, %l1.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w1.grad = stablehlo.dot_general %l0.out, %l1.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w1.step = stablehlo.multiply %w1.grad, %lr.128x128 : tensor<128x128xf32>
  %w1.new = stablehlo.subtract %w1, %w1.step : tensor<128x128xf32>
  %l0.out.grad = stablehlo.dot_general %l1.pre.grad, %w1, contracting_dims = [1] x [1] : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>

  // Layer 0: backward, then the update of its weight.
  %l0.pre.grad.mask = stablehlo.compare GT, %l0.out, %zero.8192x128 : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xi1>
  %l0.pre.grad = stablehlo.select %l0.pre.grad.mask, %l0.out.grad, %zero.8192x128 : tensor<8192x128xi1>, tensor<8192x128xf32>
  %w0.grad = stablehlo.dot_general %x, %l0.pre.grad, contracting_dims = [0] x [0] : (tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  %w0.step = stablehlo.multiply %w0.grad, %lr.128x128 : tensor<128x128xf32>
  %w0.new = stablehlo.subtract %w0, %w0.step : tensor<128x128xf32>

  return %w0.new, %w1.new, %w2.new, %w3.new, %w4.new, %w5.new, %w6.new, %w7.new, %w8.new, %w9.new,
      %w10.new, %w11.new, %w12.new, %w13.new, %w14.new, %w15.new, %loss
    : tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>,
      tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>,
      tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>,
      tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>,
      tensor<f32>
}
}
