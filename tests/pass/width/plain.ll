; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: free_width=16 block=64
; cpu: skylake-avx512
; Two vectors of 16 lanes side by side, where nothing speaks against it.
; CHECK: remark width: k: 32 lanes
; CHECK: width 32
define void @k(ptr addrspace(1) %p) {
  %v = load float, ptr addrspace(1) %p
  %w = fmul float %v, 2.0
  store float %w, ptr addrspace(1) %p
  ret void
}
