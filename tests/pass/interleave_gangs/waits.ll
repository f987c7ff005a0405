; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=256
; A loop with a barrier cannot be left in the middle.
; CHECK: remark interleave_gangs: k, block loop: stays: an outer loop, local variables in memory, a call that waits, an atomic, or an address that was just read
; CHECK: side 1
; CHECK: loop:
; CHECK-NOT: heddle.interleave.point
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
declare void @heddle.barrier(i32, i32)
define void @k() {
entry:
  %args = call ptr addrspace(4) @heddle.args()
  %base = load i64, ptr addrspace(4) %args, align 8, !invariant.load !0
  %x = call i32 @heddle.tid.x()
  %col = shl i32 %x, 2
  %off = sext i32 %col to i64
  %from = add i64 %base, %off
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %up, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %far = mul i64 %i, 1048576
  %at = add i64 %from, %far
  %q = inttoptr i64 %at to ptr addrspace(1)
  %v = load float, ptr addrspace(1) %q, align 4
  call void @heddle.barrier(i32 0, i32 0)
  %more = fadd float %sum, %v
  %up = add i64 %i, 1
  %go = icmp slt i64 %up, 100
  br i1 %go, label %loop, label %out
out:
  %to = inttoptr i64 %from to ptr addrspace(1)
  store float %more, ptr addrspace(1) %to, align 4
  ret void
}
!0 = !{}
