; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64 compat=1
; Only a test asks for it.
; CHECK: remark yields.everywhere: k: does not run
; CHECK: store i32 1, ptr addrspace(1) %p
; CHECK-NOT: yield
define void @k(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}
