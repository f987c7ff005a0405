; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; One operand is needed behind the barrier anyway; and what a phi takes from behind it counts as well.
; CHECK: call void @heddle.barrier
; CHECK: %s = fadd float %a, %b
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %some) {
entry:
  %a = load float, ptr addrspace(1) %p, align 4
  %b = load float, ptr addrspace(1) %q, align 4
  call void @heddle.barrier(i32 0, i32 0)
  br i1 %some, label %then, label %out
then:
  %s = fadd float %a, %b
  br label %out
out:
  %r = phi float [ %s, %then ], [ %b, %entry ]
  store float %r, ptr addrspace(1) %p, align 4
  ret void
}
