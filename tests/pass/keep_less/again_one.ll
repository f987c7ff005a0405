; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; One difference alone: the mean would be kept in its place.
; CHECK: %d = fsub float %a, %mean
; CHECK: call void @heddle.barrier
; CHECK-NOT: fsub
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  %a = load float, ptr addrspace(1) %p, align 4
  call void @heddle.barrier(i32 0, i32 0)
  %mean = load float, ptr addrspace(1) %q, align 4
  %d = fsub float %a, %mean
  %x = fmul float %d, %d
  store float %x, ptr addrspace(1) %q, align 4
  call void @heddle.barrier(i32 0, i32 0)
  store float %d, ptr addrspace(1) %p, align 4
  ret void
}
