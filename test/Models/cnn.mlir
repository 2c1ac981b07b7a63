// Training step of a small residual convolutional net on 32x32 images (NHWC):
// a stem, 8 residual blocks, a stride-2 convolution, 2 more residual blocks,
// global mean, dense layer, softmax cross-entropy, SGD with learning rate 0.01.
// All 22 convolutions are 3x3 with bias and same padding; ReLU after the stem, the
// stride-2 convolution, inside each block and after each residual sum.
//
// Batch 32, 8 channels at 32x32 and 16 at 16x16. The kernel flip in the input
// gradients is written as slices and concatenations, and each parameter is
// updated right after its gradient.
//
//   %x                    tensor<32x32x32x3xf32>  images
//   %labels               tensor<32xi32>           class of each image, 0..9
//   %stem.w, .b           tensor<3x3x3x8xf32>, tensor<8xf32>
//   %blockI.convJ.w, .b   tensor<3x3x8x8xf32>, tensor<8xf32>  (I = 1..8)
//   %down.w, .b           tensor<3x3x8x16xf32>, tensor<16xf32>
//   %blockI.convJ.w, .b   tensor<3x3x16x16xf32>, tensor<16xf32>  (I = 9..10)
//   %dense.w, .b          tensor<16x10xf32>, tensor<10xf32>
//
// Results: the 46 new parameters in the order of the arguments, then the loss.
//
// To run it:
//   iree-compile --iree-hal-target-device=local \
//     --iree-hal-local-target-device-backends=llvm-cpu \
//     --iree-llvmcpu-target-cpu=host cnn.mlir -o cnn.vmfb
//   conv="--input=3x3x8x8xf32=0.01 --input=8xf32=0"
//   wide="--input=3x3x16x16xf32=0.01 --input=16xf32=0"
//   iree-run-module --device=local-sync --module=cnn.vmfb --function=main \
//     --input=32x32x32x3xf32=0.5 --input=32xi32=3 \
//     --input=3x3x3x8xf32=0.01 --input=8xf32=0 \
//     $(for i in $(seq 16); do echo $conv; done) \
//     --input=3x3x8x16xf32=0.01 --input=16xf32=0 \
//     $(for i in $(seq 4); do echo $wide; done) \
//     --input=16x10xf32=0.01 --input=10xf32=0 --print_statistics

module @cnn {
func.func @main(
    %x: tensor<32x32x32x3xf32>,
    %labels: tensor<32xi32>,
    %stem.w: tensor<3x3x3x8xf32>,
    %stem.b: tensor<8xf32>,
    %block1.conv1.w: tensor<3x3x8x8xf32>,
    %block1.conv1.b: tensor<8xf32>,
    %block1.conv2.w: tensor<3x3x8x8xf32>,
    %block1.conv2.b: tensor<8xf32>,
    %block2.conv1.w: tensor<3x3x8x8xf32>,
    %block2.conv1.b: tensor<8xf32>,
    %block2.conv2.w: tensor<3x3x8x8xf32>,
    %block2.conv2.b: tensor<8xf32>,
    %block3.conv1.w: tensor<3x3x8x8xf32>,
    %block3.conv1.b: tensor<8xf32>,
    %block3.conv2.w: tensor<3x3x8x8xf32>,
    %block3.conv2.b: tensor<8xf32>,
    %block4.conv1.w: tensor<3x3x8x8xf32>,
    %block4.conv1.b: tensor<8xf32>,
    %block4.conv2.w: tensor<3x3x8x8xf32>,
    %block4.conv2.b: tensor<8xf32>,
    %block5.conv1.w: tensor<3x3x8x8xf32>,
    %block5.conv1.b: tensor<8xf32>,
    %block5.conv2.w: tensor<3x3x8x8xf32>,
    %block5.conv2.b: tensor<8xf32>,
    %block6.conv1.w: tensor<3x3x8x8xf32>,
    %block6.conv1.b: tensor<8xf32>,
    %block6.conv2.w: tensor<3x3x8x8xf32>,
    %block6.conv2.b: tensor<8xf32>,
    %block7.conv1.w: tensor<3x3x8x8xf32>,
    %block7.conv1.b: tensor<8xf32>,
    %block7.conv2.w: tensor<3x3x8x8xf32>,
    %block7.conv2.b: tensor<8xf32>,
    %block8.conv1.w: tensor<3x3x8x8xf32>,
    %block8.conv1.b: tensor<8xf32>,
    %block8.conv2.w: tensor<3x3x8x8xf32>,
    %block8.conv2.b: tensor<8xf32>,
    %down.w: tensor<3x3x8x16xf32>,
    %down.b: tensor<16xf32>,
    %block9.conv1.w: tensor<3x3x16x16xf32>,
    %block9.conv1.b: tensor<16xf32>,
    %block9.conv2.w: tensor<3x3x16x16xf32>,
    %block9.conv2.b: tensor<16xf32>,
    %block10.conv1.w: tensor<3x3x16x16xf32>,
    %block10.conv1.b: tensor<16xf32>,
    %block10.conv2.w: tensor<3x3x16x16xf32>,
    %block10.conv2.b: tensor<16xf32>,
    %dense.w: tensor<16x10xf32>,
    %dense.b: tensor<10xf32>
  ) -> (
    tensor<3x3x3x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>,
    tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>,
    tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>,
    tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>,
    tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>,
    tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>,
    tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x16xf32>,
    tensor<16xf32>, tensor<3x3x16x16xf32>, tensor<16xf32>, tensor<3x3x16x16xf32>, tensor<16xf32>,
    tensor<3x3x16x16xf32>, tensor<16xf32>, tensor<3x3x16x16xf32>, tensor<16xf32>, tensor<16x10xf32>,
    tensor<10xf32>, tensor<f32>
  ) {
  %zero.32x32x32x8 = stablehlo.constant dense<0.0> : tensor<32x32x32x8xf32>
  %zero.32x16x16x16 = stablehlo.constant dense<0.0> : tensor<32x16x16x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %inv_area.32x16 = stablehlo.constant dense<0.00390625> : tensor<32x16xf32>
  %neg_inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %inv_count = stablehlo.constant dense<0.03125> : tensor<f32>
  %one.32 = stablehlo.constant dense<1.0> : tensor<32xf32>
  %inv_count.32x10 = stablehlo.constant dense<0.03125> : tensor<32x10xf32>
  %lr.10 = stablehlo.constant dense<0.01> : tensor<10xf32>
  %lr.16x10 = stablehlo.constant dense<0.01> : tensor<16x10xf32>
  %lr.16 = stablehlo.constant dense<0.01> : tensor<16xf32>
  %lr.3x3x16x16 = stablehlo.constant dense<0.01> : tensor<3x3x16x16xf32>
  %lr.3x3x8x16 = stablehlo.constant dense<0.01> : tensor<3x3x8x16xf32>
  %lr.8 = stablehlo.constant dense<0.01> : tensor<8xf32>
  %lr.3x3x8x8 = stablehlo.constant dense<0.01> : tensor<3x3x8x8xf32>
  %lr.3x3x3x8 = stablehlo.constant dense<0.01> : tensor<3x3x3x8xf32>

  // stem: 3 to 8 channels.
  %stem.conv = stablehlo.convolution(%x, %stem.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x3xf32>, tensor<3x3x3x8xf32>) -> tensor<32x32x32x8xf32>
  %stem.b.b = stablehlo.broadcast_in_dim %stem.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %stem.pre = stablehlo.add %stem.conv, %stem.b.b : tensor<32x32x32x8xf32>
  %stem.out = stablehlo.maximum %stem.pre, %zero.32x32x32x8 : tensor<32x32x32x8xf32>

  // block1: two convolutions and the residual connection.
  %block1.conv1.conv = stablehlo.convolution(%stem.out, %block1.conv1.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block1.conv1.b.b = stablehlo.broadcast_in_dim %block1.conv1.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block1.conv1.pre = stablehlo.add %block1.conv1.conv, %block1.conv1.b.b : tensor<32x32x32x8xf32>
  %block1.conv1.out = stablehlo.maximum %block1.conv1.pre, %zero.32x32x32x8 : tensor<32x32x32x8xf32>
  %block1.conv2.conv = stablehlo.convolution(%block1.conv1.out, %block1.conv2.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block1.conv2.b.b = stablehlo.broadcast_in_dim %block1.conv2.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block1.conv2.pre = stablehlo.add %block1.conv2.conv, %block1.conv2.b.b : tensor<32x32x32x8xf32>
  %block1.sum = stablehlo.add %stem.out, %block1.conv2.pre : tensor<32x32x32x8xf32>
  %block1.out = stablehlo.maximum %block1.sum, %zero.32x32x32x8 : tensor<32x32x32x8xf32>

  // block2: two convolutions and the residual connection.
  %block2.conv1.conv = stablehlo.convolution(%block1.out, %block2.conv1.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block2.conv1.b.b = stablehlo.broadcast_in_dim %block2.conv1.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block2.conv1.pre = stablehlo.add %block2.conv1.conv, %block2.conv1.b.b : tensor<32x32x32x8xf32>
  %block2.conv1.out = stablehlo.maximum %block2.conv1.pre, %zero.32x32x32x8 : tensor<32x32x32x8xf32>
  %block2.conv2.conv = stablehlo.convolution(%block2.conv1.out, %block2.conv2.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block2.conv2.b.b = stablehlo.broadcast_in_dim %block2.conv2.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block2.conv2.pre = stablehlo.add %block2.conv2.conv, %block2.conv2.b.b : tensor<32x32x32x8xf32>
  %block2.sum = stablehlo.add %block1.out, %block2.conv2.pre : tensor<32x32x32x8xf32>
  %block2.out = stablehlo.maximum %block2.sum, %zero.32x32x32x8 : tensor<32x32x32x8xf32>

  // block3: two convolutions and the residual connection.
  %block3.conv1.conv = stablehlo.convolution(%block2.out, %block3.conv1.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block3.conv1.b.b = stablehlo.broadcast_in_dim %block3.conv1.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block3.conv1.pre = stablehlo.add %block3.conv1.conv, %block3.conv1.b.b : tensor<32x32x32x8xf32>
  %block3.conv1.out = stablehlo.maximum %block3.conv1.pre, %zero.32x32x32x8 : tensor<32x32x32x8xf32>
  %block3.conv2.conv = stablehlo.convolution(%block3.conv1.out, %block3.conv2.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block3.conv2.b.b = stablehlo.broadcast_in_dim %block3.conv2.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block3.conv2.pre = stablehlo.add %block3.conv2.conv, %block3.conv2.b.b : tensor<32x32x32x8xf32>
  %block3.sum = stablehlo.add %block2.out, %block3.conv2.pre : tensor<32x32x32x8xf32>
  %block3.out = stablehlo.maximum %block3.sum, %zero.32x32x32x8 : tensor<32x32x32x8xf32>

  // block4: two convolutions and the residual connection.
  %block4.conv1.conv = stablehlo.convolution(%block3.out, %block4.conv1.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block4.conv1.b.b = stablehlo.broadcast_in_dim %block4.conv1.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block4.conv1.pre = stablehlo.add %block4.conv1.conv, %block4.conv1.b.b : tensor<32x32x32x8xf32>
  %block4.conv1.out = stablehlo.maximum %block4.conv1.pre, %zero.32x32x32x8 : tensor<32x32x32x8xf32>
  %block4.conv2.conv = stablehlo.convolution(%block4.conv1.out, %block4.conv2.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block4.conv2.b.b = stablehlo.broadcast_in_dim %block4.conv2.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block4.conv2.pre = stablehlo.add %block4.conv2.conv, %block4.conv2.b.b : tensor<32x32x32x8xf32>
  %block4.sum = stablehlo.add %block3.out, %block4.conv2.pre : tensor<32x32x32x8xf32>
  %block4.out = stablehlo.maximum %block4.sum, %zero.32x32x32x8 : tensor<32x32x32x8xf32>

  // block5: two convolutions and the residual connection.
  %block5.conv1.conv = stablehlo.convolution(%block4.out, %block5.conv1.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block5.conv1.b.b = stablehlo.broadcast_in_dim %block5.conv1.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block5.conv1.pre = stablehlo.add %block5.conv1.conv, %block5.conv1.b.b : tensor<32x32x32x8xf32>
  %block5.conv1.out = stablehlo.maximum %block5.conv1.pre, %zero.32x32x32x8 : tensor<32x32x32x8xf32>
  %block5.conv2.conv = stablehlo.convolution(%block5.conv1.out, %block5.conv2.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block5.conv2.b.b = stablehlo.broadcast_in_dim %block5.conv2.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block5.conv2.pre = stablehlo.add %block5.conv2.conv, %block5.conv2.b.b : tensor<32x32x32x8xf32>
  %block5.sum = stablehlo.add %block4.out, %block5.conv2.pre : tensor<32x32x32x8xf32>
  %block5.out = stablehlo.maximum %block5.sum, %zero.32x32x32x8 : tensor<32x32x32x8xf32>

  // block6: two convolutions and the residual connection.
  %block6.conv1.conv = stablehlo.convolution(%block5.out, %block6.conv1.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block6.conv1.b.b = stablehlo.broadcast_in_dim %block6.conv1.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block6.conv1.pre = stablehlo.add %block6.conv1.conv, %block6.conv1.b.b : tensor<32x32x32x8xf32>
  %block6.conv1.out = stablehlo.maximum %block6.conv1.pre, %zero.32x32x32x8 : tensor<32x32x32x8xf32>
  %block6.conv2.conv = stablehlo.convolution(%block6.conv1.out, %block6.conv2.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block6.conv2.b.b = stablehlo.broadcast_in_dim %block6.conv2.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block6.conv2.pre = stablehlo.add %block6.conv2.conv, %block6.conv2.b.b : tensor<32x32x32x8xf32>
  %block6.sum = stablehlo.add %block5.out, %block6.conv2.pre : tensor<32x32x32x8xf32>
  %block6.out = stablehlo.maximum %block6.sum, %zero.32x32x32x8 : tensor<32x32x32x8xf32>

  // block7: two convolutions and the residual connection.
  %block7.conv1.conv = stablehlo.convolution(%block6.out, %block7.conv1.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block7.conv1.b.b = stablehlo.broadcast_in_dim %block7.conv1.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block7.conv1.pre = stablehlo.add %block7.conv1.conv, %block7.conv1.b.b : tensor<32x32x32x8xf32>
  %block7.conv1.out = stablehlo.maximum %block7.conv1.pre, %zero.32x32x32x8 : tensor<32x32x32x8xf32>
  %block7.conv2.conv = stablehlo.convolution(%block7.conv1.out, %block7.conv2.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block7.conv2.b.b = stablehlo.broadcast_in_dim %block7.conv2.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block7.conv2.pre = stablehlo.add %block7.conv2.conv, %block7.conv2.b.b : tensor<32x32x32x8xf32>
  %block7.sum = stablehlo.add %block6.out, %block7.conv2.pre : tensor<32x32x32x8xf32>
  %block7.out = stablehlo.maximum %block7.sum, %zero.32x32x32x8 : tensor<32x32x32x8xf32>

  // block8: two convolutions and the residual connection.
  %block8.conv1.conv = stablehlo.convolution(%block7.out, %block8.conv1.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block8.conv1.b.b = stablehlo.broadcast_in_dim %block8.conv1.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block8.conv1.pre = stablehlo.add %block8.conv1.conv, %block8.conv1.b.b : tensor<32x32x32x8xf32>
  %block8.conv1.out = stablehlo.maximum %block8.conv1.pre, %zero.32x32x32x8 : tensor<32x32x32x8xf32>
  %block8.conv2.conv = stablehlo.convolution(%block8.conv1.out, %block8.conv2.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block8.conv2.b.b = stablehlo.broadcast_in_dim %block8.conv2.b, dims = [3] : (tensor<8xf32>) -> tensor<32x32x32x8xf32>
  %block8.conv2.pre = stablehlo.add %block8.conv2.conv, %block8.conv2.b.b : tensor<32x32x32x8xf32>
  %block8.sum = stablehlo.add %block7.out, %block8.conv2.pre : tensor<32x32x32x8xf32>
  %block8.out = stablehlo.maximum %block8.sum, %zero.32x32x32x8 : tensor<32x32x32x8xf32>

  // down: stride 2, 8 to 16 channels.
  %down.conv = stablehlo.convolution(%block8.out, %down.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x16xf32>) -> tensor<32x16x16x16xf32>
  %down.b.b = stablehlo.broadcast_in_dim %down.b, dims = [3] : (tensor<16xf32>) -> tensor<32x16x16x16xf32>
  %down.pre = stablehlo.add %down.conv, %down.b.b : tensor<32x16x16x16xf32>
  %down.out = stablehlo.maximum %down.pre, %zero.32x16x16x16 : tensor<32x16x16x16xf32>

  // block9: two convolutions and the residual connection.
  %block9.conv1.conv = stablehlo.convolution(%down.out, %block9.conv1.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x16x16xf32>, tensor<3x3x16x16xf32>) -> tensor<32x16x16x16xf32>
  %block9.conv1.b.b = stablehlo.broadcast_in_dim %block9.conv1.b, dims = [3] : (tensor<16xf32>) -> tensor<32x16x16x16xf32>
  %block9.conv1.pre = stablehlo.add %block9.conv1.conv, %block9.conv1.b.b : tensor<32x16x16x16xf32>
  %block9.conv1.out = stablehlo.maximum %block9.conv1.pre, %zero.32x16x16x16 : tensor<32x16x16x16xf32>
  %block9.conv2.conv = stablehlo.convolution(%block9.conv1.out, %block9.conv2.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x16x16xf32>, tensor<3x3x16x16xf32>) -> tensor<32x16x16x16xf32>
  %block9.conv2.b.b = stablehlo.broadcast_in_dim %block9.conv2.b, dims = [3] : (tensor<16xf32>) -> tensor<32x16x16x16xf32>
  %block9.conv2.pre = stablehlo.add %block9.conv2.conv, %block9.conv2.b.b : tensor<32x16x16x16xf32>
  %block9.sum = stablehlo.add %down.out, %block9.conv2.pre : tensor<32x16x16x16xf32>
  %block9.out = stablehlo.maximum %block9.sum, %zero.32x16x16x16 : tensor<32x16x16x16xf32>

  // block10: two convolutions and the residual connection.
  %block10.conv1.conv = stablehlo.convolution(%block9.out, %block10.conv1.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x16x16xf32>, tensor<3x3x16x16xf32>) -> tensor<32x16x16x16xf32>
  %block10.conv1.b.b = stablehlo.broadcast_in_dim %block10.conv1.b, dims = [3] : (tensor<16xf32>) -> tensor<32x16x16x16xf32>
  %block10.conv1.pre = stablehlo.add %block10.conv1.conv, %block10.conv1.b.b : tensor<32x16x16x16xf32>
  %block10.conv1.out = stablehlo.maximum %block10.conv1.pre, %zero.32x16x16x16 : tensor<32x16x16x16xf32>
  %block10.conv2.conv = stablehlo.convolution(%block10.conv1.out, %block10.conv2.w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x16x16xf32>, tensor<3x3x16x16xf32>) -> tensor<32x16x16x16xf32>
  %block10.conv2.b.b = stablehlo.broadcast_in_dim %block10.conv2.b, dims = [3] : (tensor<16xf32>) -> tensor<32x16x16x16xf32>
  %block10.conv2.pre = stablehlo.add %block10.conv2.conv, %block10.conv2.b.b : tensor<32x16x16x16xf32>
  %block10.sum = stablehlo.add %block9.out, %block10.conv2.pre : tensor<32x16x16x16xf32>
  %block10.out = stablehlo.maximum %block10.sum, %zero.32x16x16x16 : tensor<32x16x16x16xf32>

  // Global mean and dense layer.
  %mean.sum = stablehlo.reduce(%block10.out init: %zero) applies stablehlo.add across dimensions = [1, 2] : (tensor<32x16x16x16xf32>, tensor<f32>) -> tensor<32x16xf32>
  %mean = stablehlo.multiply %mean.sum, %inv_area.32x16 : tensor<32x16xf32>
  %dense.dot = stablehlo.dot_general %mean, %dense.w, contracting_dims = [1] x [0] : (tensor<32x16xf32>, tensor<16x10xf32>) -> tensor<32x10xf32>
  %dense.b.b = stablehlo.broadcast_in_dim %dense.b, dims = [1] : (tensor<10xf32>) -> tensor<32x10xf32>
  %logits = stablehlo.add %dense.dot, %dense.b.b : tensor<32x10xf32>

  // Mean softmax cross-entropy over the batch and its gradient.
  %class = stablehlo.iota dim = 1 : tensor<32x10xi32>
  %labels.b = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<32xi32>) -> tensor<32x10xi32>
  %onehot.mask = stablehlo.compare EQ, %labels.b, %class : (tensor<32x10xi32>, tensor<32x10xi32>) -> tensor<32x10xi1>
  %onehot = stablehlo.convert %onehot.mask : (tensor<32x10xi1>) -> tensor<32x10xf32>
  %xent.max = stablehlo.reduce(%logits init: %neg_inf) applies stablehlo.maximum across dimensions = [1] : (tensor<32x10xf32>, tensor<f32>) -> tensor<32xf32>
  %xent.negmax = stablehlo.negate %xent.max : tensor<32xf32>
  %xent.negmax.b = stablehlo.broadcast_in_dim %xent.negmax, dims = [0] : (tensor<32xf32>) -> tensor<32x10xf32>
  %xent.shifted = stablehlo.add %logits, %xent.negmax.b : tensor<32x10xf32>
  %xent.exp = stablehlo.exponential %xent.shifted : tensor<32x10xf32>
  %xent.sum = stablehlo.reduce(%xent.exp init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x10xf32>, tensor<f32>) -> tensor<32xf32>
  %xent.logsum = stablehlo.log %xent.sum : tensor<32xf32>
  %xent.logsum.total = stablehlo.reduce(%xent.logsum init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
  %xent.picked = stablehlo.multiply %xent.shifted, %onehot : tensor<32x10xf32>
  %xent.picked.total = stablehlo.reduce(%xent.picked init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x10xf32>, tensor<f32>) -> tensor<f32>
  %xent.total = stablehlo.subtract %xent.logsum.total, %xent.picked.total : tensor<f32>
  %loss = stablehlo.multiply %xent.total, %inv_count : tensor<f32>
  %xent.invsum = stablehlo.divide %one.32, %xent.sum : tensor<32xf32>
  %xent.invsum.b = stablehlo.broadcast_in_dim %xent.invsum, dims = [0] : (tensor<32xf32>) -> tensor<32x10xf32>
  %xent.prob = stablehlo.multiply %xent.exp, %xent.invsum.b : tensor<32x10xf32>
  %xent.diff = stablehlo.subtract %xent.prob, %onehot : tensor<32x10xf32>
  %logits.grad = stablehlo.multiply %xent.diff, %inv_count.32x10 : tensor<32x10xf32>

  // Dense layer and global mean: backward, with updates.
  %dense.b.grad = stablehlo.reduce(%logits.grad init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<32x10xf32>, tensor<f32>) -> tensor<10xf32>
  %dense.b.step = stablehlo.multiply %dense.b.grad, %lr.10 : tensor<10xf32>
  %dense.b.new = stablehlo.subtract %dense.b, %dense.b.step : tensor<10xf32>
  %dense.w.grad = stablehlo.dot_general %mean, %logits.grad, contracting_dims = [0] x [0] : (tensor<32x16xf32>, tensor<32x10xf32>) -> tensor<16x10xf32>
  %dense.w.step = stablehlo.multiply %dense.w.grad, %lr.16x10 : tensor<16x10xf32>
  %dense.w.new = stablehlo.subtract %dense.w, %dense.w.step : tensor<16x10xf32>
  %mean.grad = stablehlo.dot_general %logits.grad, %dense.w, contracting_dims = [1] x [1] : (tensor<32x10xf32>, tensor<16x10xf32>) -> tensor<32x16xf32>
  %mean.sum.grad = stablehlo.multiply %mean.grad, %inv_area.32x16 : tensor<32x16xf32>
  %block10.out.grad = stablehlo.broadcast_in_dim %mean.sum.grad, dims = [0, 3] : (tensor<32x16xf32>) -> tensor<32x16x16x16xf32>

  // block10: backward, with updates.
  %block10.sum.grad.mask = stablehlo.compare GT, %block10.out, %zero.32x16x16x16 : (tensor<32x16x16x16xf32>, tensor<32x16x16x16xf32>) -> tensor<32x16x16x16xi1>
  %block10.sum.grad = stablehlo.select %block10.sum.grad.mask, %block10.out.grad, %zero.32x16x16x16 : tensor<32x16x16x16xi1>, tensor<32x16x16x16xf32>
  %block10.conv2.b.grad = stablehlo.reduce(%block10.sum.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x16x16x16xf32>, tensor<f32>) -> tensor<16xf32>
  %block10.conv2.b.step = stablehlo.multiply %block10.conv2.b.grad, %lr.16 : tensor<16xf32>
  %block10.conv2.b.new = stablehlo.subtract %block10.conv2.b, %block10.conv2.b.step : tensor<16xf32>
  %block10.conv2.w.grad = stablehlo.convolution(%block10.conv1.out, %block10.sum.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x16x16xf32>, tensor<32x16x16x16xf32>) -> tensor<3x3x16x16xf32>
  %block10.conv2.w.step = stablehlo.multiply %block10.conv2.w.grad, %lr.3x3x16x16 : tensor<3x3x16x16xf32>
  %block10.conv2.w.new = stablehlo.subtract %block10.conv2.w, %block10.conv2.w.step : tensor<3x3x16x16xf32>
  %block10.conv2.w.rows2 = stablehlo.slice %block10.conv2.w [2:3, 0:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %block10.conv2.w.rows1 = stablehlo.slice %block10.conv2.w [1:2, 0:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %block10.conv2.w.rows0 = stablehlo.slice %block10.conv2.w [0:1, 0:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %block10.conv2.w.flipped.rows = stablehlo.concatenate %block10.conv2.w.rows2, %block10.conv2.w.rows1, %block10.conv2.w.rows0, dim = 0
      : (tensor<1x3x16x16xf32>, tensor<1x3x16x16xf32>, tensor<1x3x16x16xf32>) -> tensor<3x3x16x16xf32>
  %block10.conv2.w.cols2 = stablehlo.slice %block10.conv2.w.flipped.rows [0:3, 2:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<3x1x16x16xf32>
  %block10.conv2.w.cols1 = stablehlo.slice %block10.conv2.w.flipped.rows [0:3, 1:2, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<3x1x16x16xf32>
  %block10.conv2.w.cols0 = stablehlo.slice %block10.conv2.w.flipped.rows [0:3, 0:1, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<3x1x16x16xf32>
  %block10.conv2.w.flipped = stablehlo.concatenate %block10.conv2.w.cols2, %block10.conv2.w.cols1, %block10.conv2.w.cols0, dim = 1
      : (tensor<3x1x16x16xf32>, tensor<3x1x16x16xf32>, tensor<3x1x16x16xf32>) -> tensor<3x3x16x16xf32>
  %block10.conv2.in.grad = stablehlo.convolution(%block10.sum.grad, %block10.conv2.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x16x16xf32>, tensor<3x3x16x16xf32>) -> tensor<32x16x16x16xf32>
  %block10.conv1.pre.grad.mask = stablehlo.compare GT, %block10.conv1.out, %zero.32x16x16x16
      : (tensor<32x16x16x16xf32>, tensor<32x16x16x16xf32>) -> tensor<32x16x16x16xi1>
  %block10.conv1.pre.grad = stablehlo.select %block10.conv1.pre.grad.mask, %block10.conv2.in.grad, %zero.32x16x16x16 : tensor<32x16x16x16xi1>, tensor<32x16x16x16xf32>
  %block10.conv1.b.grad = stablehlo.reduce(%block10.conv1.pre.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x16x16x16xf32>, tensor<f32>) -> tensor<16xf32>
  %block10.conv1.b.step = stablehlo.multiply %block10.conv1.b.grad, %lr.16 : tensor<16xf32>
  %block10.conv1.b.new = stablehlo.subtract %block10.conv1.b, %block10.conv1.b.step : tensor<16xf32>
  %block10.conv1.w.grad = stablehlo.convolution(%block9.out, %block10.conv1.pre.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x16x16xf32>, tensor<32x16x16x16xf32>) -> tensor<3x3x16x16xf32>
  %block10.conv1.w.step = stablehlo.multiply %block10.conv1.w.grad, %lr.3x3x16x16 : tensor<3x3x16x16xf32>
  %block10.conv1.w.new = stablehlo.subtract %block10.conv1.w, %block10.conv1.w.step : tensor<3x3x16x16xf32>
  %block10.conv1.w.rows2 = stablehlo.slice %block10.conv1.w [2:3, 0:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %block10.conv1.w.rows1 = stablehlo.slice %block10.conv1.w [1:2, 0:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %block10.conv1.w.rows0 = stablehlo.slice %block10.conv1.w [0:1, 0:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %block10.conv1.w.flipped.rows = stablehlo.concatenate %block10.conv1.w.rows2, %block10.conv1.w.rows1, %block10.conv1.w.rows0, dim = 0
      : (tensor<1x3x16x16xf32>, tensor<1x3x16x16xf32>, tensor<1x3x16x16xf32>) -> tensor<3x3x16x16xf32>
  %block10.conv1.w.cols2 = stablehlo.slice %block10.conv1.w.flipped.rows [0:3, 2:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<3x1x16x16xf32>
  %block10.conv1.w.cols1 = stablehlo.slice %block10.conv1.w.flipped.rows [0:3, 1:2, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<3x1x16x16xf32>
  %block10.conv1.w.cols0 = stablehlo.slice %block10.conv1.w.flipped.rows [0:3, 0:1, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<3x1x16x16xf32>
  %block10.conv1.w.flipped = stablehlo.concatenate %block10.conv1.w.cols2, %block10.conv1.w.cols1, %block10.conv1.w.cols0, dim = 1
      : (tensor<3x1x16x16xf32>, tensor<3x1x16x16xf32>, tensor<3x1x16x16xf32>) -> tensor<3x3x16x16xf32>
  %block10.conv1.in.grad = stablehlo.convolution(%block10.conv1.pre.grad, %block10.conv1.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x16x16xf32>, tensor<3x3x16x16xf32>) -> tensor<32x16x16x16xf32>
  %block10.in.grad = stablehlo.add %block10.sum.grad, %block10.conv1.in.grad : tensor<32x16x16x16xf32>

  // block9: backward, with updates.
  %block9.sum.grad.mask = stablehlo.compare GT, %block9.out, %zero.32x16x16x16 : (tensor<32x16x16x16xf32>, tensor<32x16x16x16xf32>) -> tensor<32x16x16x16xi1>
  %block9.sum.grad = stablehlo.select %block9.sum.grad.mask, %block10.in.grad, %zero.32x16x16x16 : tensor<32x16x16x16xi1>, tensor<32x16x16x16xf32>
  %block9.conv2.b.grad = stablehlo.reduce(%block9.sum.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x16x16x16xf32>, tensor<f32>) -> tensor<16xf32>
  %block9.conv2.b.step = stablehlo.multiply %block9.conv2.b.grad, %lr.16 : tensor<16xf32>
  %block9.conv2.b.new = stablehlo.subtract %block9.conv2.b, %block9.conv2.b.step : tensor<16xf32>
  %block9.conv2.w.grad = stablehlo.convolution(%block9.conv1.out, %block9.sum.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x16x16xf32>, tensor<32x16x16x16xf32>) -> tensor<3x3x16x16xf32>
  %block9.conv2.w.step = stablehlo.multiply %block9.conv2.w.grad, %lr.3x3x16x16 : tensor<3x3x16x16xf32>
  %block9.conv2.w.new = stablehlo.subtract %block9.conv2.w, %block9.conv2.w.step : tensor<3x3x16x16xf32>
  %block9.conv2.w.rows2 = stablehlo.slice %block9.conv2.w [2:3, 0:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %block9.conv2.w.rows1 = stablehlo.slice %block9.conv2.w [1:2, 0:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %block9.conv2.w.rows0 = stablehlo.slice %block9.conv2.w [0:1, 0:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %block9.conv2.w.flipped.rows = stablehlo.concatenate %block9.conv2.w.rows2, %block9.conv2.w.rows1, %block9.conv2.w.rows0, dim = 0
      : (tensor<1x3x16x16xf32>, tensor<1x3x16x16xf32>, tensor<1x3x16x16xf32>) -> tensor<3x3x16x16xf32>
  %block9.conv2.w.cols2 = stablehlo.slice %block9.conv2.w.flipped.rows [0:3, 2:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<3x1x16x16xf32>
  %block9.conv2.w.cols1 = stablehlo.slice %block9.conv2.w.flipped.rows [0:3, 1:2, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<3x1x16x16xf32>
  %block9.conv2.w.cols0 = stablehlo.slice %block9.conv2.w.flipped.rows [0:3, 0:1, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<3x1x16x16xf32>
  %block9.conv2.w.flipped = stablehlo.concatenate %block9.conv2.w.cols2, %block9.conv2.w.cols1, %block9.conv2.w.cols0, dim = 1
      : (tensor<3x1x16x16xf32>, tensor<3x1x16x16xf32>, tensor<3x1x16x16xf32>) -> tensor<3x3x16x16xf32>
  %block9.conv2.in.grad = stablehlo.convolution(%block9.sum.grad, %block9.conv2.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x16x16xf32>, tensor<3x3x16x16xf32>) -> tensor<32x16x16x16xf32>
  %block9.conv1.pre.grad.mask = stablehlo.compare GT, %block9.conv1.out, %zero.32x16x16x16 : (tensor<32x16x16x16xf32>, tensor<32x16x16x16xf32>) -> tensor<32x16x16x16xi1>
  %block9.conv1.pre.grad = stablehlo.select %block9.conv1.pre.grad.mask, %block9.conv2.in.grad, %zero.32x16x16x16 : tensor<32x16x16x16xi1>, tensor<32x16x16x16xf32>
  %block9.conv1.b.grad = stablehlo.reduce(%block9.conv1.pre.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x16x16x16xf32>, tensor<f32>) -> tensor<16xf32>
  %block9.conv1.b.step = stablehlo.multiply %block9.conv1.b.grad, %lr.16 : tensor<16xf32>
  %block9.conv1.b.new = stablehlo.subtract %block9.conv1.b, %block9.conv1.b.step : tensor<16xf32>
  %block9.conv1.w.grad = stablehlo.convolution(%down.out, %block9.conv1.pre.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x16x16xf32>, tensor<32x16x16x16xf32>) -> tensor<3x3x16x16xf32>
  %block9.conv1.w.step = stablehlo.multiply %block9.conv1.w.grad, %lr.3x3x16x16 : tensor<3x3x16x16xf32>
  %block9.conv1.w.new = stablehlo.subtract %block9.conv1.w, %block9.conv1.w.step : tensor<3x3x16x16xf32>
  %block9.conv1.w.rows2 = stablehlo.slice %block9.conv1.w [2:3, 0:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %block9.conv1.w.rows1 = stablehlo.slice %block9.conv1.w [1:2, 0:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %block9.conv1.w.rows0 = stablehlo.slice %block9.conv1.w [0:1, 0:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %block9.conv1.w.flipped.rows = stablehlo.concatenate %block9.conv1.w.rows2, %block9.conv1.w.rows1, %block9.conv1.w.rows0, dim = 0
      : (tensor<1x3x16x16xf32>, tensor<1x3x16x16xf32>, tensor<1x3x16x16xf32>) -> tensor<3x3x16x16xf32>
  %block9.conv1.w.cols2 = stablehlo.slice %block9.conv1.w.flipped.rows [0:3, 2:3, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<3x1x16x16xf32>
  %block9.conv1.w.cols1 = stablehlo.slice %block9.conv1.w.flipped.rows [0:3, 1:2, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<3x1x16x16xf32>
  %block9.conv1.w.cols0 = stablehlo.slice %block9.conv1.w.flipped.rows [0:3, 0:1, 0:16, 0:16] : (tensor<3x3x16x16xf32>) -> tensor<3x1x16x16xf32>
  %block9.conv1.w.flipped = stablehlo.concatenate %block9.conv1.w.cols2, %block9.conv1.w.cols1, %block9.conv1.w.cols0, dim = 1
      : (tensor<3x1x16x16xf32>, tensor<3x1x16x16xf32>, tensor<3x1x16x16xf32>) -> tensor<3x3x16x16xf32>
  %block9.conv1.in.grad = stablehlo.convolution(%block9.conv1.pre.grad, %block9.conv1.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x16x16xf32>, tensor<3x3x16x16xf32>) -> tensor<32x16x16x16xf32>
  %block9.in.grad = stablehlo.add %block9.sum.grad, %block9.conv1.in.grad : tensor<32x16x16x16xf32>

  // down: backward, with updates.
  %down.pre.grad.mask = stablehlo.compare GT, %down.out, %zero.32x16x16x16 : (tensor<32x16x16x16xf32>, tensor<32x16x16x16xf32>) -> tensor<32x16x16x16xi1>
  %down.pre.grad = stablehlo.select %down.pre.grad.mask, %block9.in.grad, %zero.32x16x16x16 : tensor<32x16x16x16xi1>, tensor<32x16x16x16xf32>
  %down.b.grad = stablehlo.reduce(%down.pre.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x16x16x16xf32>, tensor<f32>) -> tensor<16xf32>
  %down.b.step = stablehlo.multiply %down.b.grad, %lr.16 : tensor<16xf32>
  %down.b.new = stablehlo.subtract %down.b, %down.b.step : tensor<16xf32>
  %down.w.grad = stablehlo.convolution(%block8.out, %down.pre.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[0, 1], [0, 1]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x16x16x16xf32>) -> tensor<3x3x8x16xf32>
  %down.w.step = stablehlo.multiply %down.w.grad, %lr.3x3x8x16 : tensor<3x3x8x16xf32>
  %down.w.new = stablehlo.subtract %down.w, %down.w.step : tensor<3x3x8x16xf32>
  %down.w.rows2 = stablehlo.slice %down.w [2:3, 0:3, 0:8, 0:16] : (tensor<3x3x8x16xf32>) -> tensor<1x3x8x16xf32>
  %down.w.rows1 = stablehlo.slice %down.w [1:2, 0:3, 0:8, 0:16] : (tensor<3x3x8x16xf32>) -> tensor<1x3x8x16xf32>
  %down.w.rows0 = stablehlo.slice %down.w [0:1, 0:3, 0:8, 0:16] : (tensor<3x3x8x16xf32>) -> tensor<1x3x8x16xf32>
  %down.w.flipped.rows = stablehlo.concatenate %down.w.rows2, %down.w.rows1, %down.w.rows0, dim = 0
      : (tensor<1x3x8x16xf32>, tensor<1x3x8x16xf32>, tensor<1x3x8x16xf32>) -> tensor<3x3x8x16xf32>
  %down.w.cols2 = stablehlo.slice %down.w.flipped.rows [0:3, 2:3, 0:8, 0:16] : (tensor<3x3x8x16xf32>) -> tensor<3x1x8x16xf32>
  %down.w.cols1 = stablehlo.slice %down.w.flipped.rows [0:3, 1:2, 0:8, 0:16] : (tensor<3x3x8x16xf32>) -> tensor<3x1x8x16xf32>
  %down.w.cols0 = stablehlo.slice %down.w.flipped.rows [0:3, 0:1, 0:8, 0:16] : (tensor<3x3x8x16xf32>) -> tensor<3x1x8x16xf32>
  %down.w.flipped = stablehlo.concatenate %down.w.cols2, %down.w.cols1, %down.w.cols0, dim = 1
      : (tensor<3x1x8x16xf32>, tensor<3x1x8x16xf32>, tensor<3x1x8x16xf32>) -> tensor<3x3x8x16xf32>
  %down.in.grad = stablehlo.convolution(%down.pre.grad, %down.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x16x16x16xf32>, tensor<3x3x8x16xf32>) -> tensor<32x32x32x8xf32>

  // block8: backward, with updates.
  %block8.sum.grad.mask = stablehlo.compare GT, %block8.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block8.sum.grad = stablehlo.select %block8.sum.grad.mask, %down.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block8.conv2.b.grad = stablehlo.reduce(%block8.sum.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block8.conv2.b.step = stablehlo.multiply %block8.conv2.b.grad, %lr.8 : tensor<8xf32>
  %block8.conv2.b.new = stablehlo.subtract %block8.conv2.b, %block8.conv2.b.step : tensor<8xf32>
  %block8.conv2.w.grad = stablehlo.convolution(%block8.conv1.out, %block8.sum.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block8.conv2.w.step = stablehlo.multiply %block8.conv2.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block8.conv2.w.new = stablehlo.subtract %block8.conv2.w, %block8.conv2.w.step : tensor<3x3x8x8xf32>
  %block8.conv2.w.rows2 = stablehlo.slice %block8.conv2.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block8.conv2.w.rows1 = stablehlo.slice %block8.conv2.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block8.conv2.w.rows0 = stablehlo.slice %block8.conv2.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block8.conv2.w.flipped.rows = stablehlo.concatenate %block8.conv2.w.rows2, %block8.conv2.w.rows1, %block8.conv2.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block8.conv2.w.cols2 = stablehlo.slice %block8.conv2.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block8.conv2.w.cols1 = stablehlo.slice %block8.conv2.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block8.conv2.w.cols0 = stablehlo.slice %block8.conv2.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block8.conv2.w.flipped = stablehlo.concatenate %block8.conv2.w.cols2, %block8.conv2.w.cols1, %block8.conv2.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block8.conv2.in.grad = stablehlo.convolution(%block8.sum.grad, %block8.conv2.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block8.conv1.pre.grad.mask = stablehlo.compare GT, %block8.conv1.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block8.conv1.pre.grad = stablehlo.select %block8.conv1.pre.grad.mask, %block8.conv2.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block8.conv1.b.grad = stablehlo.reduce(%block8.conv1.pre.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block8.conv1.b.step = stablehlo.multiply %block8.conv1.b.grad, %lr.8 : tensor<8xf32>
  %block8.conv1.b.new = stablehlo.subtract %block8.conv1.b, %block8.conv1.b.step : tensor<8xf32>
  %block8.conv1.w.grad = stablehlo.convolution(%block7.out, %block8.conv1.pre.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block8.conv1.w.step = stablehlo.multiply %block8.conv1.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block8.conv1.w.new = stablehlo.subtract %block8.conv1.w, %block8.conv1.w.step : tensor<3x3x8x8xf32>
  %block8.conv1.w.rows2 = stablehlo.slice %block8.conv1.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block8.conv1.w.rows1 = stablehlo.slice %block8.conv1.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block8.conv1.w.rows0 = stablehlo.slice %block8.conv1.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block8.conv1.w.flipped.rows = stablehlo.concatenate %block8.conv1.w.rows2, %block8.conv1.w.rows1, %block8.conv1.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block8.conv1.w.cols2 = stablehlo.slice %block8.conv1.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block8.conv1.w.cols1 = stablehlo.slice %block8.conv1.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block8.conv1.w.cols0 = stablehlo.slice %block8.conv1.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block8.conv1.w.flipped = stablehlo.concatenate %block8.conv1.w.cols2, %block8.conv1.w.cols1, %block8.conv1.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block8.conv1.in.grad = stablehlo.convolution(%block8.conv1.pre.grad, %block8.conv1.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block8.in.grad = stablehlo.add %block8.sum.grad, %block8.conv1.in.grad : tensor<32x32x32x8xf32>

  // block7: backward, with updates.
  %block7.sum.grad.mask = stablehlo.compare GT, %block7.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block7.sum.grad = stablehlo.select %block7.sum.grad.mask, %block8.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block7.conv2.b.grad = stablehlo.reduce(%block7.sum.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block7.conv2.b.step = stablehlo.multiply %block7.conv2.b.grad, %lr.8 : tensor<8xf32>
  %block7.conv2.b.new = stablehlo.subtract %block7.conv2.b, %block7.conv2.b.step : tensor<8xf32>
  %block7.conv2.w.grad = stablehlo.convolution(%block7.conv1.out, %block7.sum.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block7.conv2.w.step = stablehlo.multiply %block7.conv2.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block7.conv2.w.new = stablehlo.subtract %block7.conv2.w, %block7.conv2.w.step : tensor<3x3x8x8xf32>
  %block7.conv2.w.rows2 = stablehlo.slice %block7.conv2.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block7.conv2.w.rows1 = stablehlo.slice %block7.conv2.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block7.conv2.w.rows0 = stablehlo.slice %block7.conv2.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block7.conv2.w.flipped.rows = stablehlo.concatenate %block7.conv2.w.rows2, %block7.conv2.w.rows1, %block7.conv2.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block7.conv2.w.cols2 = stablehlo.slice %block7.conv2.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block7.conv2.w.cols1 = stablehlo.slice %block7.conv2.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block7.conv2.w.cols0 = stablehlo.slice %block7.conv2.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block7.conv2.w.flipped = stablehlo.concatenate %block7.conv2.w.cols2, %block7.conv2.w.cols1, %block7.conv2.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block7.conv2.in.grad = stablehlo.convolution(%block7.sum.grad, %block7.conv2.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block7.conv1.pre.grad.mask = stablehlo.compare GT, %block7.conv1.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block7.conv1.pre.grad = stablehlo.select %block7.conv1.pre.grad.mask, %block7.conv2.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block7.conv1.b.grad = stablehlo.reduce(%block7.conv1.pre.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block7.conv1.b.step = stablehlo.multiply %block7.conv1.b.grad, %lr.8 : tensor<8xf32>
  %block7.conv1.b.new = stablehlo.subtract %block7.conv1.b, %block7.conv1.b.step : tensor<8xf32>
  %block7.conv1.w.grad = stablehlo.convolution(%block6.out, %block7.conv1.pre.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block7.conv1.w.step = stablehlo.multiply %block7.conv1.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block7.conv1.w.new = stablehlo.subtract %block7.conv1.w, %block7.conv1.w.step : tensor<3x3x8x8xf32>
  %block7.conv1.w.rows2 = stablehlo.slice %block7.conv1.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block7.conv1.w.rows1 = stablehlo.slice %block7.conv1.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block7.conv1.w.rows0 = stablehlo.slice %block7.conv1.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block7.conv1.w.flipped.rows = stablehlo.concatenate %block7.conv1.w.rows2, %block7.conv1.w.rows1, %block7.conv1.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block7.conv1.w.cols2 = stablehlo.slice %block7.conv1.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block7.conv1.w.cols1 = stablehlo.slice %block7.conv1.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block7.conv1.w.cols0 = stablehlo.slice %block7.conv1.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block7.conv1.w.flipped = stablehlo.concatenate %block7.conv1.w.cols2, %block7.conv1.w.cols1, %block7.conv1.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block7.conv1.in.grad = stablehlo.convolution(%block7.conv1.pre.grad, %block7.conv1.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block7.in.grad = stablehlo.add %block7.sum.grad, %block7.conv1.in.grad : tensor<32x32x32x8xf32>

  // block6: backward, with updates.
  %block6.sum.grad.mask = stablehlo.compare GT, %block6.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block6.sum.grad = stablehlo.select %block6.sum.grad.mask, %block7.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block6.conv2.b.grad = stablehlo.reduce(%block6.sum.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block6.conv2.b.step = stablehlo.multiply %block6.conv2.b.grad, %lr.8 : tensor<8xf32>
  %block6.conv2.b.new = stablehlo.subtract %block6.conv2.b, %block6.conv2.b.step : tensor<8xf32>
  %block6.conv2.w.grad = stablehlo.convolution(%block6.conv1.out, %block6.sum.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block6.conv2.w.step = stablehlo.multiply %block6.conv2.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block6.conv2.w.new = stablehlo.subtract %block6.conv2.w, %block6.conv2.w.step : tensor<3x3x8x8xf32>
  %block6.conv2.w.rows2 = stablehlo.slice %block6.conv2.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block6.conv2.w.rows1 = stablehlo.slice %block6.conv2.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block6.conv2.w.rows0 = stablehlo.slice %block6.conv2.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block6.conv2.w.flipped.rows = stablehlo.concatenate %block6.conv2.w.rows2, %block6.conv2.w.rows1, %block6.conv2.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block6.conv2.w.cols2 = stablehlo.slice %block6.conv2.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block6.conv2.w.cols1 = stablehlo.slice %block6.conv2.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block6.conv2.w.cols0 = stablehlo.slice %block6.conv2.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block6.conv2.w.flipped = stablehlo.concatenate %block6.conv2.w.cols2, %block6.conv2.w.cols1, %block6.conv2.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block6.conv2.in.grad = stablehlo.convolution(%block6.sum.grad, %block6.conv2.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block6.conv1.pre.grad.mask = stablehlo.compare GT, %block6.conv1.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block6.conv1.pre.grad = stablehlo.select %block6.conv1.pre.grad.mask, %block6.conv2.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block6.conv1.b.grad = stablehlo.reduce(%block6.conv1.pre.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block6.conv1.b.step = stablehlo.multiply %block6.conv1.b.grad, %lr.8 : tensor<8xf32>
  %block6.conv1.b.new = stablehlo.subtract %block6.conv1.b, %block6.conv1.b.step : tensor<8xf32>
  %block6.conv1.w.grad = stablehlo.convolution(%block5.out, %block6.conv1.pre.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block6.conv1.w.step = stablehlo.multiply %block6.conv1.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block6.conv1.w.new = stablehlo.subtract %block6.conv1.w, %block6.conv1.w.step : tensor<3x3x8x8xf32>
  %block6.conv1.w.rows2 = stablehlo.slice %block6.conv1.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block6.conv1.w.rows1 = stablehlo.slice %block6.conv1.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block6.conv1.w.rows0 = stablehlo.slice %block6.conv1.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block6.conv1.w.flipped.rows = stablehlo.concatenate %block6.conv1.w.rows2, %block6.conv1.w.rows1, %block6.conv1.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block6.conv1.w.cols2 = stablehlo.slice %block6.conv1.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block6.conv1.w.cols1 = stablehlo.slice %block6.conv1.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block6.conv1.w.cols0 = stablehlo.slice %block6.conv1.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block6.conv1.w.flipped = stablehlo.concatenate %block6.conv1.w.cols2, %block6.conv1.w.cols1, %block6.conv1.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block6.conv1.in.grad = stablehlo.convolution(%block6.conv1.pre.grad, %block6.conv1.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block6.in.grad = stablehlo.add %block6.sum.grad, %block6.conv1.in.grad : tensor<32x32x32x8xf32>

  // block5: backward, with updates.
  %block5.sum.grad.mask = stablehlo.compare GT, %block5.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block5.sum.grad = stablehlo.select %block5.sum.grad.mask, %block6.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block5.conv2.b.grad = stablehlo.reduce(%block5.sum.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block5.conv2.b.step = stablehlo.multiply %block5.conv2.b.grad, %lr.8 : tensor<8xf32>
  %block5.conv2.b.new = stablehlo.subtract %block5.conv2.b, %block5.conv2.b.step : tensor<8xf32>
  %block5.conv2.w.grad = stablehlo.convolution(%block5.conv1.out, %block5.sum.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block5.conv2.w.step = stablehlo.multiply %block5.conv2.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block5.conv2.w.new = stablehlo.subtract %block5.conv2.w, %block5.conv2.w.step : tensor<3x3x8x8xf32>
  %block5.conv2.w.rows2 = stablehlo.slice %block5.conv2.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block5.conv2.w.rows1 = stablehlo.slice %block5.conv2.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block5.conv2.w.rows0 = stablehlo.slice %block5.conv2.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block5.conv2.w.flipped.rows = stablehlo.concatenate %block5.conv2.w.rows2, %block5.conv2.w.rows1, %block5.conv2.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block5.conv2.w.cols2 = stablehlo.slice %block5.conv2.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block5.conv2.w.cols1 = stablehlo.slice %block5.conv2.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block5.conv2.w.cols0 = stablehlo.slice %block5.conv2.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block5.conv2.w.flipped = stablehlo.concatenate %block5.conv2.w.cols2, %block5.conv2.w.cols1, %block5.conv2.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block5.conv2.in.grad = stablehlo.convolution(%block5.sum.grad, %block5.conv2.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block5.conv1.pre.grad.mask = stablehlo.compare GT, %block5.conv1.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block5.conv1.pre.grad = stablehlo.select %block5.conv1.pre.grad.mask, %block5.conv2.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block5.conv1.b.grad = stablehlo.reduce(%block5.conv1.pre.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block5.conv1.b.step = stablehlo.multiply %block5.conv1.b.grad, %lr.8 : tensor<8xf32>
  %block5.conv1.b.new = stablehlo.subtract %block5.conv1.b, %block5.conv1.b.step : tensor<8xf32>
  %block5.conv1.w.grad = stablehlo.convolution(%block4.out, %block5.conv1.pre.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block5.conv1.w.step = stablehlo.multiply %block5.conv1.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block5.conv1.w.new = stablehlo.subtract %block5.conv1.w, %block5.conv1.w.step : tensor<3x3x8x8xf32>
  %block5.conv1.w.rows2 = stablehlo.slice %block5.conv1.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block5.conv1.w.rows1 = stablehlo.slice %block5.conv1.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block5.conv1.w.rows0 = stablehlo.slice %block5.conv1.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block5.conv1.w.flipped.rows = stablehlo.concatenate %block5.conv1.w.rows2, %block5.conv1.w.rows1, %block5.conv1.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block5.conv1.w.cols2 = stablehlo.slice %block5.conv1.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block5.conv1.w.cols1 = stablehlo.slice %block5.conv1.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block5.conv1.w.cols0 = stablehlo.slice %block5.conv1.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block5.conv1.w.flipped = stablehlo.concatenate %block5.conv1.w.cols2, %block5.conv1.w.cols1, %block5.conv1.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block5.conv1.in.grad = stablehlo.convolution(%block5.conv1.pre.grad, %block5.conv1.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block5.in.grad = stablehlo.add %block5.sum.grad, %block5.conv1.in.grad : tensor<32x32x32x8xf32>

  // block4: backward, with updates.
  %block4.sum.grad.mask = stablehlo.compare GT, %block4.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block4.sum.grad = stablehlo.select %block4.sum.grad.mask, %block5.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block4.conv2.b.grad = stablehlo.reduce(%block4.sum.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block4.conv2.b.step = stablehlo.multiply %block4.conv2.b.grad, %lr.8 : tensor<8xf32>
  %block4.conv2.b.new = stablehlo.subtract %block4.conv2.b, %block4.conv2.b.step : tensor<8xf32>
  %block4.conv2.w.grad = stablehlo.convolution(%block4.conv1.out, %block4.sum.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block4.conv2.w.step = stablehlo.multiply %block4.conv2.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block4.conv2.w.new = stablehlo.subtract %block4.conv2.w, %block4.conv2.w.step : tensor<3x3x8x8xf32>
  %block4.conv2.w.rows2 = stablehlo.slice %block4.conv2.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block4.conv2.w.rows1 = stablehlo.slice %block4.conv2.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block4.conv2.w.rows0 = stablehlo.slice %block4.conv2.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block4.conv2.w.flipped.rows = stablehlo.concatenate %block4.conv2.w.rows2, %block4.conv2.w.rows1, %block4.conv2.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block4.conv2.w.cols2 = stablehlo.slice %block4.conv2.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block4.conv2.w.cols1 = stablehlo.slice %block4.conv2.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block4.conv2.w.cols0 = stablehlo.slice %block4.conv2.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block4.conv2.w.flipped = stablehlo.concatenate %block4.conv2.w.cols2, %block4.conv2.w.cols1, %block4.conv2.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block4.conv2.in.grad = stablehlo.convolution(%block4.sum.grad, %block4.conv2.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block4.conv1.pre.grad.mask = stablehlo.compare GT, %block4.conv1.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block4.conv1.pre.grad = stablehlo.select %block4.conv1.pre.grad.mask, %block4.conv2.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block4.conv1.b.grad = stablehlo.reduce(%block4.conv1.pre.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block4.conv1.b.step = stablehlo.multiply %block4.conv1.b.grad, %lr.8 : tensor<8xf32>
  %block4.conv1.b.new = stablehlo.subtract %block4.conv1.b, %block4.conv1.b.step : tensor<8xf32>
  %block4.conv1.w.grad = stablehlo.convolution(%block3.out, %block4.conv1.pre.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block4.conv1.w.step = stablehlo.multiply %block4.conv1.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block4.conv1.w.new = stablehlo.subtract %block4.conv1.w, %block4.conv1.w.step : tensor<3x3x8x8xf32>
  %block4.conv1.w.rows2 = stablehlo.slice %block4.conv1.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block4.conv1.w.rows1 = stablehlo.slice %block4.conv1.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block4.conv1.w.rows0 = stablehlo.slice %block4.conv1.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block4.conv1.w.flipped.rows = stablehlo.concatenate %block4.conv1.w.rows2, %block4.conv1.w.rows1, %block4.conv1.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block4.conv1.w.cols2 = stablehlo.slice %block4.conv1.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block4.conv1.w.cols1 = stablehlo.slice %block4.conv1.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block4.conv1.w.cols0 = stablehlo.slice %block4.conv1.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block4.conv1.w.flipped = stablehlo.concatenate %block4.conv1.w.cols2, %block4.conv1.w.cols1, %block4.conv1.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block4.conv1.in.grad = stablehlo.convolution(%block4.conv1.pre.grad, %block4.conv1.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block4.in.grad = stablehlo.add %block4.sum.grad, %block4.conv1.in.grad : tensor<32x32x32x8xf32>

  // block3: backward, with updates.
  %block3.sum.grad.mask = stablehlo.compare GT, %block3.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block3.sum.grad = stablehlo.select %block3.sum.grad.mask, %block4.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block3.conv2.b.grad = stablehlo.reduce(%block3.sum.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block3.conv2.b.step = stablehlo.multiply %block3.conv2.b.grad, %lr.8 : tensor<8xf32>
  %block3.conv2.b.new = stablehlo.subtract %block3.conv2.b, %block3.conv2.b.step : tensor<8xf32>
  %block3.conv2.w.grad = stablehlo.convolution(%block3.conv1.out, %block3.sum.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block3.conv2.w.step = stablehlo.multiply %block3.conv2.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block3.conv2.w.new = stablehlo.subtract %block3.conv2.w, %block3.conv2.w.step : tensor<3x3x8x8xf32>
  %block3.conv2.w.rows2 = stablehlo.slice %block3.conv2.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block3.conv2.w.rows1 = stablehlo.slice %block3.conv2.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block3.conv2.w.rows0 = stablehlo.slice %block3.conv2.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block3.conv2.w.flipped.rows = stablehlo.concatenate %block3.conv2.w.rows2, %block3.conv2.w.rows1, %block3.conv2.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block3.conv2.w.cols2 = stablehlo.slice %block3.conv2.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block3.conv2.w.cols1 = stablehlo.slice %block3.conv2.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block3.conv2.w.cols0 = stablehlo.slice %block3.conv2.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block3.conv2.w.flipped = stablehlo.concatenate %block3.conv2.w.cols2, %block3.conv2.w.cols1, %block3.conv2.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block3.conv2.in.grad = stablehlo.convolution(%block3.sum.grad, %block3.conv2.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block3.conv1.pre.grad.mask = stablehlo.compare GT, %block3.conv1.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block3.conv1.pre.grad = stablehlo.select %block3.conv1.pre.grad.mask, %block3.conv2.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block3.conv1.b.grad = stablehlo.reduce(%block3.conv1.pre.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block3.conv1.b.step = stablehlo.multiply %block3.conv1.b.grad, %lr.8 : tensor<8xf32>
  %block3.conv1.b.new = stablehlo.subtract %block3.conv1.b, %block3.conv1.b.step : tensor<8xf32>
  %block3.conv1.w.grad = stablehlo.convolution(%block2.out, %block3.conv1.pre.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block3.conv1.w.step = stablehlo.multiply %block3.conv1.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block3.conv1.w.new = stablehlo.subtract %block3.conv1.w, %block3.conv1.w.step : tensor<3x3x8x8xf32>
  %block3.conv1.w.rows2 = stablehlo.slice %block3.conv1.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block3.conv1.w.rows1 = stablehlo.slice %block3.conv1.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block3.conv1.w.rows0 = stablehlo.slice %block3.conv1.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block3.conv1.w.flipped.rows = stablehlo.concatenate %block3.conv1.w.rows2, %block3.conv1.w.rows1, %block3.conv1.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block3.conv1.w.cols2 = stablehlo.slice %block3.conv1.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block3.conv1.w.cols1 = stablehlo.slice %block3.conv1.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block3.conv1.w.cols0 = stablehlo.slice %block3.conv1.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block3.conv1.w.flipped = stablehlo.concatenate %block3.conv1.w.cols2, %block3.conv1.w.cols1, %block3.conv1.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block3.conv1.in.grad = stablehlo.convolution(%block3.conv1.pre.grad, %block3.conv1.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block3.in.grad = stablehlo.add %block3.sum.grad, %block3.conv1.in.grad : tensor<32x32x32x8xf32>

  // block2: backward, with updates.
  %block2.sum.grad.mask = stablehlo.compare GT, %block2.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block2.sum.grad = stablehlo.select %block2.sum.grad.mask, %block3.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block2.conv2.b.grad = stablehlo.reduce(%block2.sum.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block2.conv2.b.step = stablehlo.multiply %block2.conv2.b.grad, %lr.8 : tensor<8xf32>
  %block2.conv2.b.new = stablehlo.subtract %block2.conv2.b, %block2.conv2.b.step : tensor<8xf32>
  %block2.conv2.w.grad = stablehlo.convolution(%block2.conv1.out, %block2.sum.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block2.conv2.w.step = stablehlo.multiply %block2.conv2.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block2.conv2.w.new = stablehlo.subtract %block2.conv2.w, %block2.conv2.w.step : tensor<3x3x8x8xf32>
  %block2.conv2.w.rows2 = stablehlo.slice %block2.conv2.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block2.conv2.w.rows1 = stablehlo.slice %block2.conv2.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block2.conv2.w.rows0 = stablehlo.slice %block2.conv2.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block2.conv2.w.flipped.rows = stablehlo.concatenate %block2.conv2.w.rows2, %block2.conv2.w.rows1, %block2.conv2.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block2.conv2.w.cols2 = stablehlo.slice %block2.conv2.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block2.conv2.w.cols1 = stablehlo.slice %block2.conv2.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block2.conv2.w.cols0 = stablehlo.slice %block2.conv2.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block2.conv2.w.flipped = stablehlo.concatenate %block2.conv2.w.cols2, %block2.conv2.w.cols1, %block2.conv2.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block2.conv2.in.grad = stablehlo.convolution(%block2.sum.grad, %block2.conv2.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block2.conv1.pre.grad.mask = stablehlo.compare GT, %block2.conv1.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block2.conv1.pre.grad = stablehlo.select %block2.conv1.pre.grad.mask, %block2.conv2.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block2.conv1.b.grad = stablehlo.reduce(%block2.conv1.pre.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block2.conv1.b.step = stablehlo.multiply %block2.conv1.b.grad, %lr.8 : tensor<8xf32>
  %block2.conv1.b.new = stablehlo.subtract %block2.conv1.b, %block2.conv1.b.step : tensor<8xf32>
  %block2.conv1.w.grad = stablehlo.convolution(%block1.out, %block2.conv1.pre.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block2.conv1.w.step = stablehlo.multiply %block2.conv1.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block2.conv1.w.new = stablehlo.subtract %block2.conv1.w, %block2.conv1.w.step : tensor<3x3x8x8xf32>
  %block2.conv1.w.rows2 = stablehlo.slice %block2.conv1.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block2.conv1.w.rows1 = stablehlo.slice %block2.conv1.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block2.conv1.w.rows0 = stablehlo.slice %block2.conv1.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block2.conv1.w.flipped.rows = stablehlo.concatenate %block2.conv1.w.rows2, %block2.conv1.w.rows1, %block2.conv1.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block2.conv1.w.cols2 = stablehlo.slice %block2.conv1.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block2.conv1.w.cols1 = stablehlo.slice %block2.conv1.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block2.conv1.w.cols0 = stablehlo.slice %block2.conv1.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block2.conv1.w.flipped = stablehlo.concatenate %block2.conv1.w.cols2, %block2.conv1.w.cols1, %block2.conv1.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block2.conv1.in.grad = stablehlo.convolution(%block2.conv1.pre.grad, %block2.conv1.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block2.in.grad = stablehlo.add %block2.sum.grad, %block2.conv1.in.grad : tensor<32x32x32x8xf32>

  // block1: backward, with updates.
  %block1.sum.grad.mask = stablehlo.compare GT, %block1.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block1.sum.grad = stablehlo.select %block1.sum.grad.mask, %block2.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block1.conv2.b.grad = stablehlo.reduce(%block1.sum.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block1.conv2.b.step = stablehlo.multiply %block1.conv2.b.grad, %lr.8 : tensor<8xf32>
  %block1.conv2.b.new = stablehlo.subtract %block1.conv2.b, %block1.conv2.b.step : tensor<8xf32>
  %block1.conv2.w.grad = stablehlo.convolution(%block1.conv1.out, %block1.sum.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block1.conv2.w.step = stablehlo.multiply %block1.conv2.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block1.conv2.w.new = stablehlo.subtract %block1.conv2.w, %block1.conv2.w.step : tensor<3x3x8x8xf32>
  %block1.conv2.w.rows2 = stablehlo.slice %block1.conv2.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block1.conv2.w.rows1 = stablehlo.slice %block1.conv2.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block1.conv2.w.rows0 = stablehlo.slice %block1.conv2.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block1.conv2.w.flipped.rows = stablehlo.concatenate %block1.conv2.w.rows2, %block1.conv2.w.rows1, %block1.conv2.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block1.conv2.w.cols2 = stablehlo.slice %block1.conv2.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block1.conv2.w.cols1 = stablehlo.slice %block1.conv2.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block1.conv2.w.cols0 = stablehlo.slice %block1.conv2.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block1.conv2.w.flipped = stablehlo.concatenate %block1.conv2.w.cols2, %block1.conv2.w.cols1, %block1.conv2.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block1.conv2.in.grad = stablehlo.convolution(%block1.sum.grad, %block1.conv2.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block1.conv1.pre.grad.mask = stablehlo.compare GT, %block1.conv1.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %block1.conv1.pre.grad = stablehlo.select %block1.conv1.pre.grad.mask, %block1.conv2.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %block1.conv1.b.grad = stablehlo.reduce(%block1.conv1.pre.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %block1.conv1.b.step = stablehlo.multiply %block1.conv1.b.grad, %lr.8 : tensor<8xf32>
  %block1.conv1.b.new = stablehlo.subtract %block1.conv1.b, %block1.conv1.b.step : tensor<8xf32>
  %block1.conv1.w.grad = stablehlo.convolution(%stem.out, %block1.conv1.pre.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x8x8xf32>
  %block1.conv1.w.step = stablehlo.multiply %block1.conv1.w.grad, %lr.3x3x8x8 : tensor<3x3x8x8xf32>
  %block1.conv1.w.new = stablehlo.subtract %block1.conv1.w, %block1.conv1.w.step : tensor<3x3x8x8xf32>
  %block1.conv1.w.rows2 = stablehlo.slice %block1.conv1.w [2:3, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block1.conv1.w.rows1 = stablehlo.slice %block1.conv1.w [1:2, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block1.conv1.w.rows0 = stablehlo.slice %block1.conv1.w [0:1, 0:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %block1.conv1.w.flipped.rows = stablehlo.concatenate %block1.conv1.w.rows2, %block1.conv1.w.rows1, %block1.conv1.w.rows0, dim = 0
      : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block1.conv1.w.cols2 = stablehlo.slice %block1.conv1.w.flipped.rows [0:3, 2:3, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block1.conv1.w.cols1 = stablehlo.slice %block1.conv1.w.flipped.rows [0:3, 1:2, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block1.conv1.w.cols0 = stablehlo.slice %block1.conv1.w.flipped.rows [0:3, 0:1, 0:8, 0:8] : (tensor<3x3x8x8xf32>) -> tensor<3x1x8x8xf32>
  %block1.conv1.w.flipped = stablehlo.concatenate %block1.conv1.w.cols2, %block1.conv1.w.cols1, %block1.conv1.w.cols0, dim = 1
      : (tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>, tensor<3x1x8x8xf32>) -> tensor<3x3x8x8xf32>
  %block1.conv1.in.grad = stablehlo.convolution(%block1.conv1.pre.grad, %block1.conv1.w.flipped) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x8xf32>, tensor<3x3x8x8xf32>) -> tensor<32x32x32x8xf32>
  %block1.in.grad = stablehlo.add %block1.sum.grad, %block1.conv1.in.grad : tensor<32x32x32x8xf32>

  // stem: backward of the parameters only, with updates.
  %stem.pre.grad.mask = stablehlo.compare GT, %stem.out, %zero.32x32x32x8 : (tensor<32x32x32x8xf32>, tensor<32x32x32x8xf32>) -> tensor<32x32x32x8xi1>
  %stem.pre.grad = stablehlo.select %stem.pre.grad.mask, %block1.in.grad, %zero.32x32x32x8 : tensor<32x32x32x8xi1>, tensor<32x32x32x8xf32>
  %stem.b.grad = stablehlo.reduce(%stem.pre.grad init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<32x32x32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %stem.b.step = stablehlo.multiply %stem.b.grad, %lr.8 : tensor<8xf32>
  %stem.b.new = stablehlo.subtract %stem.b, %stem.b.step : tensor<8xf32>
  %stem.w.grad = stablehlo.convolution(%x, %stem.pre.grad) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<32x32x32x3xf32>, tensor<32x32x32x8xf32>) -> tensor<3x3x3x8xf32>
  %stem.w.step = stablehlo.multiply %stem.w.grad, %lr.3x3x3x8 : tensor<3x3x3x8xf32>
  %stem.w.new = stablehlo.subtract %stem.w, %stem.w.step : tensor<3x3x3x8xf32>

  return %stem.w.new, %stem.b.new, %block1.conv1.w.new, %block1.conv1.b.new, %block1.conv2.w.new,
      %block1.conv2.b.new, %block2.conv1.w.new, %block2.conv1.b.new, %block2.conv2.w.new,
      %block2.conv2.b.new, %block3.conv1.w.new, %block3.conv1.b.new, %block3.conv2.w.new,
      %block3.conv2.b.new, %block4.conv1.w.new, %block4.conv1.b.new, %block4.conv2.w.new,
      %block4.conv2.b.new, %block5.conv1.w.new, %block5.conv1.b.new, %block5.conv2.w.new,
      %block5.conv2.b.new, %block6.conv1.w.new, %block6.conv1.b.new, %block6.conv2.w.new,
      %block6.conv2.b.new, %block7.conv1.w.new, %block7.conv1.b.new, %block7.conv2.w.new,
      %block7.conv2.b.new, %block8.conv1.w.new, %block8.conv1.b.new, %block8.conv2.w.new,
      %block8.conv2.b.new, %down.w.new, %down.b.new, %block9.conv1.w.new, %block9.conv1.b.new,
      %block9.conv2.w.new, %block9.conv2.b.new, %block10.conv1.w.new, %block10.conv1.b.new,
      %block10.conv2.w.new, %block10.conv2.b.new, %dense.w.new, %dense.b.new, %loss
    : tensor<3x3x3x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>,
      tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>,
      tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>,
      tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>,
      tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>,
      tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>,
      tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<3x3x8x16xf32>,
      tensor<16xf32>, tensor<3x3x16x16xf32>, tensor<16xf32>, tensor<3x3x16x16xf32>, tensor<16xf32>,
      tensor<3x3x16x16xf32>, tensor<16xf32>, tensor<3x3x16x16xf32>, tensor<16xf32>,
      tensor<16x10xf32>, tensor<10xf32>, tensor<f32>
}
}
