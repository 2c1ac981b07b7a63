// A matrix product writes 8 rows into the middle of a buffer: a dispatch tied to a
// part of a clone, because the old contents are still needed.

module @in_place_update {
func.func @main(%cache: tensor<64x256xf32>, %x: tensor<8x256xf32>, %w: tensor<256x256xf32>)
    -> (tensor<64x256xf32>, tensor<64x256xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %at = stablehlo.constant dense<16> : tensor<i32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<8x256xf32>, tensor<256x256xf32>) -> tensor<8x256xf32>
  %h = stablehlo.dot_general %cache, %w, contracting_dims = [1] x [0]
      : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %u = stablehlo.dynamic_update_slice %h, %y, %at, %zero
      : (tensor<64x256xf32>, tensor<8x256xf32>, tensor<i32>, tensor<i32>) -> tensor<64x256xf32>
  %z = stablehlo.dot_general %u, %w, contracting_dims = [1] x [0]
      : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %v = stablehlo.add %z, %h : tensor<64x256xf32>
  return %u, %v : tensor<64x256xf32>, tensor<64x256xf32>
}
}
