; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=256 width=16
; cpu: neoverse-v1
; Atomics that lanes make one by one are work enough beside one line from memory.
; CHECK: remark interleave_gangs: k, block loop: stays: too much work
; CHECK: loop:
; CHECK-NOT: heddle.interleave.point
declare i32 @heddle.tid.x()
declare ptr addrspace(3) @heddle.shared()
declare ptr addrspace(4) @heddle.args()
define void @k() {
entry:
  %args = call ptr addrspace(4) @heddle.args()
  %base = load i64, ptr addrspace(4) %args, align 8, !invariant.load !0
  %s = call ptr addrspace(3) @heddle.shared()
  %x = call i32 @heddle.tid.x()
  %col = shl i32 %x, 2
  %off = sext i32 %col to i64
  %from = add i64 %base, %off
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %up, %loop ]
  %far = mul i64 %i, 65536
  %at = add i64 %from, %far
  %q = inttoptr i64 %at to ptr addrspace(1)
  %v = load i32, ptr addrspace(1) %q, align 4
  %bin = and i32 %v, 1020
  %p = getelementptr i8, ptr addrspace(3) %s, i32 %bin
  %old = atomicrmw add ptr addrspace(3) %p, i32 1 monotonic
  %up = add i64 %i, 1
  %go = icmp slt i64 %up, 100
  br i1 %go, label %loop, label %out
out:
  ret void
}
!0 = !{}
