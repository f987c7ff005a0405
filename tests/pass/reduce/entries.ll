; SPDX-License-Identifier: Apache-2.0
; expect: fires
; A cycle with two entries is rebuilt around a variable that says which block is next.
; CHECK: rebuilt 1
; CHECK: alloca i32
define i32 @k.region.0(i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %b, label %out
b:
  br i1 %d, label %a, label %out
out:
  ret i32 0
}
