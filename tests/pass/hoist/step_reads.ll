; SPDX-License-Identifier: Apache-2.0
; expect: declines
; A load on the way back is not one of a thread that leaves.
; CHECK: back:
; CHECK-NEXT: %p.next = load i64
define i32 @k.region.0(i32 %from, i32 %n, ptr %at) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %from, %entry ], [ %i.next, %back ]
  %p = phi i64 [ 0, %entry ], [ %p.next, %back ]
  %a = getelementptr i8, ptr %at, i64 %p
  store i32 %i, ptr %a, align 4
  %i.next = add i32 %i, 32
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %back, label %end
back:
  %p.next = load i64, ptr %a, align 8
  br label %loop
end:
  ret i32 0
}
