// Two products written side by side into one allocation (a concatenation without
// a copy), and a slice of the result copied out.

module @concat_slice {
func.func @main(%x: tensor<64x256xf32>, %y: tensor<64x256xf32>, %w: tensor<256x256xf32>)
    -> (tensor<128x256xf32>, tensor<32x256xf32>, tensor<64x256xf32>) {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %b = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0]
      : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %c = stablehlo.concatenate %a, %b, dim = 0 : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<128x256xf32>
  %d = stablehlo.dot_general %c, %w, contracting_dims = [1] x [0]
      : (tensor<128x256xf32>, tensor<256x256xf32>) -> tensor<128x256xf32>
  %s = stablehlo.slice %d [32:64, 0:256] : (tensor<128x256xf32>) -> tensor<32x256xf32>
  %t = stablehlo.slice %d [64:128, 0:256] : (tensor<128x256xf32>) -> tensor<64x256xf32>
  %e = stablehlo.dot_general %t, %w, contracting_dims = [1] x [0]
      : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  return %d, %s, %e : tensor<128x256xf32>, tensor<32x256xf32>, tensor<64x256xf32>
}
}
