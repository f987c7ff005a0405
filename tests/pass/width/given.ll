; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: width=16 block=64
; cpu: skylake-avx512
; A width that was asked for stays.
; CHECK: remark width: k: does not run: it is for 'free_width' (src/jit/when.c)
; CHECK: width 16
define void @k(ptr addrspace(1) %p) {
  %v = load float, ptr addrspace(1) %p
  store float %v, ptr addrspace(1) %p
  ret void
}
