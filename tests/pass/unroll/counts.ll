; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=256
; A counter that neither halves nor doubles: masks and addresses do not become constants of a tree.
; CHECK: remark unroll: k, block loop: stays: no induction variable halves or doubles
; CHECK: marked 0
; CHECK-NOT: llvm.loop
; CHECK: ret void
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
declare ptr addrspace(3) @heddle.shared()
define void @k(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %d = phi i32 [ 8, %entry ], [ %less, %loop ]
  call void @heddle.barrier(i32 0, i32 0)
  %less = sub i32 %d, 1
  %more = icmp ugt i32 %d, 2
  br i1 %more, label %loop, label %out
out:
  ret void
}
