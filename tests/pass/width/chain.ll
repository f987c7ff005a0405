; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: free_width=16 block=64
; cpu: skylake-avx512
; Eight operations a barrier of which each needs the one before: a second vector fills the time that they wait.
; CHECK: remark width: k: 32 lanes
; CHECK: width 32
declare void @heddle.barrier(i32, i32, i32)
define void @k(ptr addrspace(1) %p) {
  call void @heddle.barrier(i32 0, i32 0, i32 0)
  %v = load float, ptr addrspace(1) %p
  %s0 = fmul float %v, 1.5
  %s1 = fmul float %s0, 2.5
  %s2 = fmul float %s1, 3.5
  %s3 = fmul float %s2, 4.5
  %s4 = fmul float %s3, 5.5
  %s5 = fmul float %s4, 6.5
  %s6 = fmul float %s5, 7.5
  %s7 = fmul float %s6, 8.5
  store float %s7, ptr addrspace(1) %p
  ret void
}
