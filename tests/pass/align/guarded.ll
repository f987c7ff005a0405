; SPDX-License-Identifier: Apache-2.0
; expect: declines
; A check that some iterations do not make must not be made before all of them.
; CHECK: remark align: k, k.region.0, block some: a check stays: what the address is made of is not known to be aligned
; CHECK: {{^}}some:
; CHECK-NEXT: call void @heddle.rt.misaligned
declare void @heddle.rt.misaligned(i64)
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0(i64 %p, i1 %c, i1 %d) {
entry:
  %low = and i64 %p, 3
  br label %loop
loop:
  br i1 %d, label %some, label %latch
some:
  call void @heddle.rt.misaligned(i64 %low)
  br label %latch
latch:
  br i1 %c, label %loop, label %out
out:
  ret i32 0
}
