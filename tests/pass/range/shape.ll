; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64,2,1
; The block's shape is a constant, and a thread's number is below it.
; CHECK: remark range: k: blocks have 64 x 2 x 1 threads; blocks along x are few enough for indices of 31 bits
; CHECK: grid 33554432 1073741824
; CHECK: %x = call i32 @heddle.tid.x(), !range [[X:![0-9]+]]
; CHECK: store volatile i32 64, ptr addrspace(1) %p
; CHECK: [[X]] = !{i32 0, i32 64}
declare i32 @heddle.tid.x()
declare i32 @heddle.ntid.x()
define void @k(ptr addrspace(1) %p) {
  %x = call i32 @heddle.tid.x()
  %n = call i32 @heddle.ntid.x()
  store volatile i32 %x, ptr addrspace(1) %p
  store volatile i32 %n, ptr addrspace(1) %p
  ret void
}
