; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: dispatch
; Where LLVM did not structure a kernel, every function that is not structured is rebuilt.
; CHECK: rebuilt 0
; CHECK: alloca i32
define i32 @k.region.0(i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %b, label %out
b:
  br label %out
out:
  ret i32 0
}
