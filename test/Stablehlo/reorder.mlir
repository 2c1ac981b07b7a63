// RUN: remat-opt %s --split-input-file --rematerialize='memory-cap=17KiB solver=order' | FileCheck %s
// REQUIRES: iree

// As frameworks write a step: first all gradients (%gb, %ga), then all updates
// from the first layer to the last. With the input five tensors of 4 KiB are live
// at the end, four if the update of the last layer comes first.
// CHECK-LABEL: func.func @updates_last
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<1024xf32>
//       CHECK:   %[[A:.+]] = stablehlo.tanh %[[X]]
//  CHECK-NEXT:   %[[B:.+]] = stablehlo.logistic %[[A]]
//  CHECK-NEXT:   %[[GB:.+]] = stablehlo.cosine %[[B]]
//  CHECK-NEXT:   %[[DB:.+]] = stablehlo.dot_general %[[B]], %[[GB]]
//       CHECK:   %[[GA:.+]] = stablehlo.sine %[[GB]]
//  CHECK-NEXT:   %[[DA:.+]] = stablehlo.dot_general %[[A]], %[[GA]]
func.func @updates_last(%x: tensor<1024xf32>, %wa: tensor<f32>, %wb: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %a = stablehlo.tanh %x : tensor<1024xf32>
  %b = stablehlo.logistic %a : tensor<1024xf32>
  %gb = stablehlo.cosine %b : tensor<1024xf32>
  %ga = stablehlo.sine %gb : tensor<1024xf32>
  %da = stablehlo.dot_general %a, %ga, contracting_dims = [0] x [0] : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<f32>
  %db = stablehlo.dot_general %b, %gb, contracting_dims = [0] x [0] : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<f32>
  %ua = stablehlo.subtract %wa, %da : tensor<f32>
  %ub = stablehlo.subtract %wb, %db : tensor<f32>
  return %ua, %ub : tensor<f32>, tensor<f32>
}

// -----

// A broadcast (4 KiB) that is read at the end moves there. The calls keep
// their order, although the second would free more.
// CHECK-LABEL: func.func @effects_keep_their_order
//       CHECK:   stablehlo.custom_call @first
//       CHECK:   stablehlo.custom_call @second
//       CHECK:   %[[WIDE:.+]] = stablehlo.broadcast_in_dim
//  CHECK-NEXT:   stablehlo.add %{{.+}}, %[[WIDE]]
func.func @effects_keep_their_order(%p: tensor<f32>, %x: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<f32>) {
  %wide = stablehlo.broadcast_in_dim %p, dims = [] : (tensor<f32>) -> tensor<1024xf32>
  %a = stablehlo.tanh %x : tensor<1024xf32>
  %c = stablehlo.custom_call @first(%a) : (tensor<1024xf32>) -> tensor<2048xf32>
  %d = stablehlo.custom_call @second(%c) : (tensor<2048xf32>) -> tensor<f32>
  %y = stablehlo.add %x, %wide : tensor<1024xf32>
  return %y, %d : tensor<1024xf32>, tensor<f32>
}
