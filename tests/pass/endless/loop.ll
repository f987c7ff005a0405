; SPDX-License-Identifier: Apache-2.0
; expect: fires
; A loop without an exit gets one that is never taken, so that every block leads to the return.
; CHECK: [[NEVER:%[0-9]+]] = call i1 @heddle.never()
; CHECK-NEXT: br i1 [[NEVER]], label %return, label %loop
define void @k(i1 %p) {
entry:
  br i1 %p, label %loop, label %out
loop:
  br label %loop
out:
  ret void
}
