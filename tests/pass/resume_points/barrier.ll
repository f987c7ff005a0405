; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; after: waits
; CHECK: points 1
; CHECK: call void @heddle.resume(i32
; CHECK-NOT: call void @heddle.barrier
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p) {
  %x = call i32 @heddle.tid.x()
  call void @heddle.barrier(i32 0, i32 0)
  store i32 %x, ptr addrspace(1) %p
  ret void
}
