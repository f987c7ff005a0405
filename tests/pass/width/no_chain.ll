; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: free_width=16 block=64
; cpu: skylake-avx512
; As many that do not wait for each other: one vector is enough.
; CHECK: remark width: k: 16 lanes: little work between barriers
; CHECK: width 16
declare void @heddle.barrier(i32, i32, i32)
define void @k(ptr addrspace(1) %p) {
  call void @heddle.barrier(i32 0, i32 0, i32 0)
  %v = load float, ptr addrspace(1) %p
  %s0 = fmul float %v, 1.5
  %s1 = fmul float %v, 2.5
  %s2 = fmul float %v, 3.5
  %s3 = fmul float %v, 4.5
  %s4 = fmul float %v, 5.5
  %s5 = fmul float %v, 6.5
  %s6 = fmul float %v, 7.5
  %s7 = fmul float %v, 8.5
  store float %s0, ptr addrspace(1) %p
  store float %s1, ptr addrspace(1) %p
  store float %s2, ptr addrspace(1) %p
  store float %s3, ptr addrspace(1) %p
  store float %s4, ptr addrspace(1) %p
  store float %s5, ptr addrspace(1) %p
  store float %s6, ptr addrspace(1) %p
  store float %s7, ptr addrspace(1) %p
  ret void
}
