// Random bits from a state that the step returns advanced: the state is read back
// to the host, then updated in place on a clone of the argument.

module @rng {
func.func @main(%state: tensor<2xui64>, %x: tensor<256x256xf32>, %w: tensor<256x256xf32>)
    -> (tensor<2xui64>, tensor<256x256xf32>) {
  %next, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<256x256xui32>)
  %half = stablehlo.constant dense<2147483648> : tensor<256x256xui32>
  %zero = stablehlo.constant dense<0.0> : tensor<256x256xf32>
  %keep = stablehlo.compare LT, %bits, %half : (tensor<256x256xui32>, tensor<256x256xui32>) -> tensor<256x256xi1>
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %d = stablehlo.select %keep, %a, %zero : tensor<256x256xi1>, tensor<256x256xf32>
  %b = stablehlo.dot_general %d, %w, contracting_dims = [1] x [0]
      : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %next, %b : tensor<2xui64>, tensor<256x256xf32>
}
}
