; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: width=32 block=64
; Lanes have their operands in other orders.
; CHECK-NOT: remark butterfly
; CHECK: store i32 %x4
declare i32 @heddle.tid.x()
declare ptr addrspace(4) @heddle.args()
declare i32 @heddle.shfl.bfly(i32, i32, i32, i32)
define i32 @k.region.0() {
entry:
  %a = call ptr addrspace(4) @heddle.args()
  %p = load ptr addrspace(1), ptr addrspace(4) %a
  %t = call i32 @heddle.tid.x()
  %s0 = call i32 @heddle.shfl.bfly(i32 -1, i32 %t, i32 16, i32 31)
  %x0 = sub i32 %t, %s0
  %s1 = call i32 @heddle.shfl.bfly(i32 -1, i32 %x0, i32 8, i32 31)
  %x1 = sub i32 %s1, %x0
  %s2 = call i32 @heddle.shfl.bfly(i32 -1, i32 %x1, i32 4, i32 31)
  %x2 = sub i32 %x1, %s2
  %s3 = call i32 @heddle.shfl.bfly(i32 -1, i32 %x2, i32 2, i32 31)
  %x3 = sub i32 %s3, %x2
  %s4 = call i32 @heddle.shfl.bfly(i32 -1, i32 %x3, i32 1, i32 31)
  %x4 = sub i32 %x3, %s4
  %o = zext i32 %t to i64
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %o
  store i32 %x4, ptr addrspace(1) %q
  ret i32 0
}
