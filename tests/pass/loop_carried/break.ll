; SPDX-License-Identifier: Apache-2.0
; expect: fires
; Where the loop goes on, c was true and x' is next: what the header carries is free of the value of threads that leave.
; CHECK: remark loop_carried: k, k.region.0, block head: what the loop carries here is free of values of threads that leave it
; CHECK: %x = phi i32 [ 0, %entry ], [ [[N:%[0-9]+]], %latch ]
; CHECK: [[N]] = phi i32 [ %next, %then ], [ poison, %head ]
define i32 @k.region.0(i32 %n, ptr %p) {
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
  %leave = phi i1 [ false, %then ], [ true, %head ]
  br i1 %leave, label %out, label %head
out:
  ret i32 %y
}
