; SPDX-License-Identifier: Apache-2.0
; expect: fires
; What steps along with a loop's counter, in a block on the way back, goes up before the branch: the loop ends where its condition is.
; CHECK: loop:
; CHECK: %more = icmp slt i32 %i.next, %n
; CHECK: add i64 {{.*}}, 128
; CHECK: add i64 {{.*}}, 64
; CHECK-NEXT: br i1 %more, label %loop, label %end
; CHECK-NOT: back:
define i32 @k.region.0(i32 %from, i32 %n, i64 %at, i64 %other, ptr %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %from, %entry ], [ %i.next, %back ]
  %p = phi i64 [ %at, %entry ], [ %p.next, %back ]
  %q = phi i64 [ %other, %entry ], [ %q.next, %back ]
  %a = inttoptr i64 %p to ptr
  %v = load i32, ptr %a, align 4
  %b = inttoptr i64 %q to ptr
  store i32 %v, ptr %b, align 4
  %i.next = add i32 %i, 32
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %back, label %end
back:
  %p.next = add i64 %p, 128
  %q.next = add i64 %q, 64
  br label %loop
end:
  ret i32 0
}
