; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=256
; A tree of 7 steps with a barrier each is marked to be unrolled fully.
; CHECK: remark unroll: k, block loop: unrolled: 7 iterations of 4 operations with 1 barriers
; CHECK: marked 1
; CHECK: br i1 %more, label %loop, label %out, !llvm.loop [[L:![0-9]+]]
; CHECK: [[L]] = distinct !{[[L]], [[F:![0-9]+]]}
; CHECK: [[F]] = !{!"llvm.loop.unroll.full"}
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
declare ptr addrspace(3) @heddle.shared()
define void @k(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %d = phi i32 [ 128, %entry ], [ %half, %loop ]
  call void @heddle.barrier(i32 0, i32 0)
  %half = lshr i32 %d, 1
  %more = icmp ugt i32 %d, 2
  br i1 %more, label %loop, label %out
out:
  ret void
}
