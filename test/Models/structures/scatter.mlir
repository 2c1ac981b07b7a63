// An embedding and its gradient: rows gathered, then scattered by a dispatch tied
// to a buffer of zeros.

module @scatter {
func.func @main(%table: tensor<512x128xf32>, %ids: tensor<64x1xi32>, %w: tensor<128x128xf32>)
    -> (tensor<512x128xf32>, tensor<64x128xf32>) {
  %zeros = stablehlo.constant dense<0.0> : tensor<512x128xf32>
  %rows = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 128>}>
      : (tensor<512x128xf32>, tensor<64x1xi32>) -> tensor<64x128xf32>
  %y = stablehlo.dot_general %rows, %w, contracting_dims = [1] x [0]
      : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %g = "stablehlo.scatter"(%zeros, %ids, %y) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<512x128xf32>, tensor<64x1xi32>, tensor<64x128xf32>) -> tensor<512x128xf32>
  %new = stablehlo.subtract %table, %g : tensor<512x128xf32>
  return %new, %y : tensor<512x128xf32>, tensor<64x128xf32>
}
}
