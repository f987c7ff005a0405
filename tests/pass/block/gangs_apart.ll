; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: width=32 block=64
; after: shapes vectorise
; The lanes of a gang go apart: a state for each, and code for some lanes.
; CHECK: k.masked
; CHECK: divided:
; CHECK-NOT: heddle_resume_gangs
declare i32 @heddle.tid.x()
define i32 @k.region.0() {
  %t = call i32 @heddle.tid.x()
  %w = and i32 %t, 1
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
