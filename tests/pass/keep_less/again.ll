; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; Two differences to a mean, of values that the frame has had since the first barrier: the mean is kept, and they are computed again.
; CHECK: remark keep_less: k, block entry: 2 values are computed again behind it
; CHECK: store float %x, ptr addrspace(1) %q
; CHECK-NEXT: call void @heddle.barrier
; CHECK: fsub float %{{a|b}}, %mean
; CHECK: fsub float %{{a|b}}, %mean
; CHECK: store float
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  %a = load float, ptr addrspace(1) %p, align 4
  %b = load float, ptr addrspace(1) %q, align 4
  call void @heddle.barrier(i32 0, i32 0)
  %mean = load float, ptr addrspace(1) %q, align 4
  %d = fsub float %a, %mean
  %e = fsub float %b, %mean
  %x = fmul float %d, %e
  store float %x, ptr addrspace(1) %q, align 4
  call void @heddle.barrier(i32 0, i32 0)
  store float %d, ptr addrspace(1) %p, align 4
  store float %e, ptr addrspace(1) %q, align 4
  ret void
}
