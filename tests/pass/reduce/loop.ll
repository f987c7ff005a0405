; SPDX-License-Identifier: Apache-2.0
; expect: declines
; A loop with one entry stays, for LLVM to structure.
; CHECK: rebuilt 0
; CHECK: br i1 %d, label %a, label %out
define i32 @k.region.0(i1 %c, i1 %d) {
entry:
  br label %a
a:
  br i1 %d, label %a, label %out
out:
  ret i32 0
}
