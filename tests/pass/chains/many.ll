; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; So many loops, one behind the other, take the code generator the square of their number.
; CHECK: marked 1
define void @k.full.0(ptr %p) {
entry:
  br label %out0
out0:
  br label %loop1
; repeat 400
loop$i:
  %i$i = phi i32 [ 0, %out$p ], [ %u$i, %loop$i ]
  store i32 %i$i, ptr %p
  %u$i = add i32 %i$i, 1
  %c$i = icmp slt i32 %u$i, 9
  br i1 %c$i, label %loop$i, label %out$i
out$i:
  br label %loop$n
; end
loop401:
  ret void
}
