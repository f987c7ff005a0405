; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; cpu: haswell
; A loop that takes its row by whole pieces stays, but its pointer goes on before the test, where whoever asks by how much finds it.
; CHECK: stays: its rows are taken by whole pieces already
; CHECK: marked 1
; CHECK: {{%[0-9]+}} = add i64 %at, 16
; CHECK: br i1 %more
; CHECK: latch:
; CHECK-NEXT: br label %loop
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %args = call ptr addrspace(4) @heddle.args()
  %base = load i64, ptr addrspace(4) %args, align 8, !invariant.load !0
  %x = call i32 @heddle.tid.x()
  %row = mul i32 %x, 4096
  %off = sext i32 %row to i64
  %from = add i64 %base, %off
  br label %loop
loop:
  %at = phi i64 [ %from, %entry ], [ %next, %latch ]
  %i = phi i32 [ 0, %entry ], [ %up, %latch ]
  %s = phi float [ 0.0, %entry ], [ %s4, %latch ]
  %q = inttoptr i64 %at to ptr addrspace(1)
  %v = load float, ptr addrspace(1) %q, align 4
  %s1 = fadd float %s, %v
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 4
  %v1 = load float, ptr addrspace(1) %q1, align 4
  %s2 = fadd float %s1, %v1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 8
  %v2 = load float, ptr addrspace(1) %q2, align 4
  %s3 = fadd float %s2, %v2
  %q3 = getelementptr i8, ptr addrspace(1) %q, i64 12
  %v3 = load float, ptr addrspace(1) %q3, align 4
  %s4 = fadd float %s3, %v3
  store float %s4, ptr addrspace(1) %p, align 4
  %up = add i32 %i, 4
  %more = icmp slt i32 %up, 1024
  br i1 %more, label %latch, label %out
latch:
  %next = add i64 %at, 16
  br label %loop
out:
  ret void
}
!0 = !{}
