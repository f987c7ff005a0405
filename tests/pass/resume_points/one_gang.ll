; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=8
; after: waits
; A block of one gang has nobody to wait for: other lanes may have changed memory here, and that is all.
; CHECK: points 0
; CHECK: call void @heddle.gang.sync()
; CHECK-NOT: call void @heddle.resume
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p) {
  %x = call i32 @heddle.tid.x()
  call void @heddle.barrier(i32 0, i32 0)
  store i32 %x, ptr addrspace(1) %p
  ret void
}
