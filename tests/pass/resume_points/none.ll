; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; after: waits
; Nothing waits.
; CHECK: points 0
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p) {
  %x = call i32 @heddle.tid.x()
  store i32 %x, ptr addrspace(1) %p
  ret void
}
