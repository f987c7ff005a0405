; SPDX-License-Identifier: Apache-2.0
; expect: declines
; Nothing is known of a block of any shape.
; CHECK: remark range: k: the code is for blocks of any shape
; CHECK: %x = call i32 @heddle.tid.x()
; CHECK-NOT: !range
declare i32 @heddle.tid.x()
define void @k(ptr addrspace(1) %p) {
  %x = call i32 @heddle.tid.x()
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}
