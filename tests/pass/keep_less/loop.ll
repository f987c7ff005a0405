; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; A sum behind a loop with a barrier does not move into the loop; what was computed before the loop is not computed again in it.
; CHECK: loop:
; CHECK-NOT: fadd
; CHECK-NOT: fsub
; CHECK: out:
; CHECK: %s = fadd float %a, %c
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  %v = load float, ptr addrspace(1) %p, align 4
  %w = load float, ptr addrspace(1) %q, align 4
  call void @heddle.barrier(i32 0, i32 0)
  %d = fsub float %v, 1.0
  %e = fsub float %w, 1.0
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %up, %loop ]
  %a = load float, ptr addrspace(1) %p, align 4
  %c = load float, ptr addrspace(1) %q, align 4
  call void @heddle.barrier(i32 0, i32 0)
  store float %d, ptr addrspace(1) %p, align 4
  store float %e, ptr addrspace(1) %q, align 4
  %up = add i32 %i, 1
  %more = icmp slt i32 %up, %n
  br i1 %more, label %loop, label %out
out:
  %s = fadd float %a, %c
  store float %s, ptr addrspace(1) %q, align 4
  ret void
}
