; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=64 checked
; A variant for any grid counts on nothing about the block's number; that of the thread is bounded all the same.
; CHECK: remark range: k: blocks have 64 x 1 x 1 threads; blocks along x are as many as there may be
; CHECK: grid 0 0 0
; CHECK: call i32 @heddle.tid.x(), !range
; CHECK-NOT: call i32 @heddle.ctaid.x(), !range
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
define void @k(ptr addrspace(1) %p) {
  %x = call i32 @heddle.tid.x()
  %c = call i32 @heddle.ctaid.x()
  store volatile i32 %x, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  ret void
}
