// Rows of unknown number: the sizes in bytes are values computed at run time,
// so there is nothing to plan with.

module @dynamic_shape {
func.func @main(%x: tensor<?x128xf32>, %w: tensor<128x128xf32>) -> tensor<?x128xf32> {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<?x128xf32>, tensor<128x128xf32>) -> tensor<?x128xf32>
  %h = stablehlo.tanh %a : tensor<?x128xf32>
  %b = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0]
      : (tensor<?x128xf32>, tensor<128x128xf32>) -> tensor<?x128xf32>
  return %b : tensor<?x128xf32>
}
}
