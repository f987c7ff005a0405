; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; cpu: haswell
; Threads side by side reach the same lines anyway.
; CHECK: remark unroll: k, block loop: stays: no rows of each thread's own, apart from its neighbours'
; CHECK: marked 0
; CHECK-NOT: llvm.loop
; CHECK-NOT: unroll.count
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %args = call ptr addrspace(4) @heddle.args()
  %base = load i64, ptr addrspace(4) %args, align 8, !invariant.load !0
  %x = call i32 @heddle.tid.x()
  %row = mul i32 %x, 4
  %off = sext i32 %row to i64
  %from = add i64 %base, %off
  br label %loop
loop:
  %at = phi i64 [ %from, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %up, %loop ]
  %q = inttoptr i64 %at to ptr addrspace(1)
  %v = load float, ptr addrspace(1) %q, align 4
  %w = fmul float %v, 2.0
  store float %w, ptr addrspace(1) %q, align 4
  %next = add i64 %at, 4
  %up = add i32 %i, 1
  %more = icmp slt i32 %up, 1024
  br i1 %more, label %loop, label %out
out:
  ret void
}
!0 = !{}
