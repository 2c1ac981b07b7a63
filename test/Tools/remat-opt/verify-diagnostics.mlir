// RUN: remat-opt %s --split-input-file --verify-diagnostics
// RUN: remat-opt %s --split-input-file --verify-diagnostics=all

func.func @next_line() -> i32 {
  // expected-error@+1 {{has 0 operands, but enclosing function (@next_line) returns 1}}
  return
}

// -----

func.func @regular_expression() -> i32 {
  // expected-error-re@below {{has {{[0-9]+}} operands, but enclosing function (@{{r.*n}}) returns 1}}
  return
}

// -----

func.func @no_location() -> i32 {
  // expected-error@unknown {{has 0 operands}}
  "func.return"() : () -> () loc(unknown)
}

// -----

// Notes are expected like any other diagnostic.
func.func @notes() {
  %0 = "arith.addi"(%1, %1) : (i32, i32) -> i32 // expected-error {{does not dominate this use}}
  %1 = arith.constant 1 : i32
  // expected-note@above {{operand defined here}}
  return
}
