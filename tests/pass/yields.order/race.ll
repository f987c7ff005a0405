; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64 compat=1
; A race: a thread stores to what one of the other warp loads. On a GPU both have loaded by then.
; CHECK: remark yields.order: k: yields at 1 points, since it seems to count on the order of warps
; CHECK: %v = load i32
; CHECK: call void @heddle.yield.block()
; CHECK: store i32 %v
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
declare ptr addrspace(3) @heddle.shared()
define void @k() {
entry:
  %s = call ptr addrspace(3) @heddle.shared()
  %t = call i32 @heddle.tid.x()
  %o = shl i32 %t, 2
  %p = getelementptr i8, ptr addrspace(3) %s, i32 %o
  store i32 %t, ptr addrspace(3) %p
  call void @heddle.barrier(i32 0, i32 0)
  %n = xor i32 %o, 128
  %q = getelementptr i8, ptr addrspace(3) %s, i32 %n
  %v = load i32, ptr addrspace(3) %q
  
  store i32 %v, ptr addrspace(3) %p
  call void @heddle.barrier(i32 0, i32 0)
  ret void
}
