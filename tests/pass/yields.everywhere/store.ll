; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64 compat=2
; CHECK: call void @heddle.yield.block()
; CHECK-NEXT: store i32 1, ptr addrspace(1) %p
define void @k(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}
