// An update at an offset known only at run time: the offset is read back to the
// host, and a dispatch tied to the whole buffer overwrites rows of it.

module @in_place_offset {
func.func @main(%cache: tensor<64x256xf32>, %x: tensor<8x256xf32>, %w: tensor<256x256xf32>, %at: tensor<i32>)
    -> (tensor<64x256xf32>, tensor<64x256xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<8x256xf32>, tensor<256x256xf32>) -> tensor<8x256xf32>
  %h = stablehlo.dot_general %cache, %w, contracting_dims = [1] x [0]
      : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %u = stablehlo.dynamic_update_slice %h, %y, %at, %zero
      : (tensor<64x256xf32>, tensor<8x256xf32>, tensor<i32>, tensor<i32>) -> tensor<64x256xf32>
  %z = stablehlo.dot_general %u, %w, contracting_dims = [1] x [0]
      : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  return %u, %z : tensor<64x256xf32>, tensor<64x256xf32>
}
}
