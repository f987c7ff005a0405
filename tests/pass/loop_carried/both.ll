; SPDX-License-Identifier: Apache-2.0
; expect: declines
; The loop goes on from both arms: each value may be the one that it carries.
; CHECK: %x = phi i32 [ 0, %entry ], [ %y, %latch ]
; CHECK-NOT: poison
define i32 @k.region.0(i32 %n, i1 %d, ptr %p) {
entry:
  br label %head
head:
  %x = phi i32 [ 0, %entry ], [ %y, %latch ]
  %c = icmp slt i32 %x, %n
  br i1 %c, label %then, label %latch
then:
  %next = add i32 %x, 1
  store i32 %x, ptr %p
  br label %latch
latch:
  %y = phi i32 [ %next, %then ], [ %x, %head ]
  br i1 %d, label %out, label %head
out:
  ret i32 %y
}
