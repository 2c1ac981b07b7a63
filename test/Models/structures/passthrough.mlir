// An argument returned as it came, one value returned twice, and a result that is
// only filled.

module @passthrough {
func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>)
    -> (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>) {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %z = stablehlo.constant dense<1.5> : tensor<64x256xf32>
  return %x, %a, %a, %z : tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>
}
}
