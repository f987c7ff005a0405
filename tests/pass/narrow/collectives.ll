; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: free_width=32 block=64
; A collective for every few instructions: in a gang narrower than the warp each would be a resume point.
; CHECK: width 32 {{.*}} narrow 1 collectives 200
declare i32 @heddle.vote.ballot(i32, i1)
define void @k(i32 %x0) {
; repeat 200
  %a$i = add i32 %x$p, 1
  %b$i = mul i32 %a$i, 3
  %c$i = icmp ult i32 %b$i, 7
  %d$i = call i32 @heddle.vote.ballot(i32 -1, i1 %c$i)
  %x$i = xor i32 %d$i, %b$i
; end
; repeat 3600
  %y$i = add i32 %x200, 1
; end
  ret void
}
