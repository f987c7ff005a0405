; SPDX-License-Identifier: Apache-2.0
; expect: declines
; A loop that can be left stays as it is.
; CHECK: br i1 %p, label %loop, label %out
; CHECK-NOT: heddle.never
define void @k(i1 %p) {
entry:
  br label %loop
loop:
  br i1 %p, label %loop, label %out
out:
  ret void
}
