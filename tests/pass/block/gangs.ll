; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: width=32 block=64
; after: shapes vectorise
; The gangs of a block go apart, the lanes of one never do: a state for each gang, and no code for some lanes.
; CHECK-NOT: k.masked
; CHECK: define {{.*}}@heddle.block(
; CHECK: call i32 @heddle_resume_gangs(
; CHECK-NOT: heddle_resume_machine
; CHECK: define {{.*}}@k.entry(
declare i32 @heddle.tid.x()
define i32 @k.region.0() {
  %t = call i32 @heddle.tid.x()
  %w = lshr i32 %t, 5
  %c = icmp eq i32 %w, 0
  %n = select i1 %c, i32 1, i32 2
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
