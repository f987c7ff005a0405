; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=256
; How often it runs is not known.
; CHECK: remark unroll: k, block loop: stays: how often it runs is no constant, or too often for 4 operations
; CHECK: marked 0
; CHECK-NOT: llvm.loop
; CHECK: ret void
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
declare ptr addrspace(3) @heddle.shared()
define void @k(i32 %n) {
entry:
  br label %loop
loop:
  %d = phi i32 [ %n, %entry ], [ %half, %loop ]
  call void @heddle.barrier(i32 0, i32 0)
  %half = lshr i32 %d, 1
  %more = icmp ugt i32 %d, 2
  br i1 %more, label %loop, label %out
out:
  ret void
}
