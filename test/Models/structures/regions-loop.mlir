// A loop: one execute region inside scf.for; its carried value is cloned at each
// iteration.

module @regions_loop {
func.func @main(%x: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %h = %x) : tensor<i32>, tensor<256x256xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %a = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0]
      : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %t = stablehlo.tanh %a : tensor<256x256xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %t : tensor<i32>, tensor<256x256xf32>
  }
  return %r#1 : tensor<256x256xf32>
}
}
