// A barrier splits the step into two execute regions; a transient crosses it
// and lives from the first region to the end of the second.

module @regions_barrier {
func.func @main(%x: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %h = stablehlo.tanh %a : tensor<256x256xf32>
  %b:2 = stablehlo.optimization_barrier %h, %w : tensor<256x256xf32>, tensor<256x256xf32>
  %c = stablehlo.dot_general %b#0, %b#1, contracting_dims = [1] x [0]
      : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = stablehlo.multiply %c, %h : tensor<256x256xf32>
  %l = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<256x256xf32>, tensor<f32>) -> tensor<f32>
  return %s, %l : tensor<256x256xf32>, tensor<f32>
}
}
