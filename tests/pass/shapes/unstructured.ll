; SPDX-License-Identifier: Apache-2.0
; expect: fails
; set: block=64
; Masks of other control flow would be wrong without a word.
; CHECK: failed {{.*}}structured
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
entry:
  %x = call i32 @heddle.tid.x()
  %c = icmp slt i32 %x, 3
  %d = icmp slt i32 %x, 2
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %b, label %out
b:
  br label %out
out:
  ret i32 0
}
