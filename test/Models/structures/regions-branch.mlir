// A branch on a value of the device: the predicate is read back between execute
// regions, and each arm of scf.if has a region of its own.

module @regions_branch {
func.func @main(%p: tensor<i1>, %x: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %r = "stablehlo.if"(%p) ({
    %b = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0]
      : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    stablehlo.return %b : tensor<256x256xf32>
  }, {
    %t = stablehlo.tanh %a : tensor<256x256xf32>
    stablehlo.return %t : tensor<256x256xf32>
  }) : (tensor<i1>) -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}
}
