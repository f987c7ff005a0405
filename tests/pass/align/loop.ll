; SPDX-License-Identifier: Apache-2.0
; expect: fires
; A check of what comes from outside of the loop, in a block that every iteration runs, goes before it.
; CHECK: remark align: k, k.region.0, block loop: the check goes before the loop
; CHECK: entry:
; CHECK: call void @heddle.rt.misaligned
; CHECK: loop:
; CHECK-NOT: call void @heddle.rt.misaligned
declare void @heddle.rt.misaligned(i64)
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0(i64 %p, i1 %c) {
entry:
  br label %loop
loop:
  %low = and i64 %p, 3
  call void @heddle.rt.misaligned(i64 %low)
  br i1 %c, label %loop, label %out
out:
  ret i32 0
}
