; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: free_width=16 block=64
; cpu: skylake-avx512
; Lanes that are taken one by one gain nothing from more of them.
; CHECK: remark width: k: 16 lanes: atomics, which lanes make one by one
; CHECK: width 16
define void @k(ptr addrspace(1) %p) {
  %v = load i32, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic
  ret void
}
