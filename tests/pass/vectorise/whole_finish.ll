; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: width=32 block=64 whole
; after: shapes
; Some lanes finish before others: those that are left enter a region without them.
; CHECK: define {{.*}}@k.masked.1(
; CHECK: define {{.*}}@k.masked.2(
declare i32 @heddle.tid.x()
define i32 @k.region.0() {
  %t = call i32 @heddle.tid.x()
  %o = and i32 %t, 1
  %c = icmp eq i32 %o, 0
  %n = select i1 %c, i32 1, i32 0
  ret i32 %n
}
define i32 @k.region.1() {
  store volatile i32 1, ptr addrspace(1) null
  ret i32 2
}
define i32 @k.region.2() {
  store volatile i32 2, ptr addrspace(1) null
  ret i32 0
}
