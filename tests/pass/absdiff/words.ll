; SPDX-License-Identifier: Apache-2.0
; expect: declines
; cpu: haswell
; That of 32 bits it has.
; CHECK: %r = select
define <4 x i32> @k.full.0(<4 x i32> %a, <4 x i32> %b) {
  %c = icmp ult <4 x i32> %a, %b
  %x = sub <4 x i32> %b, %a
  %y = sub <4 x i32> %a, %b
  %r = select <4 x i1> %c, <4 x i32> %x, <4 x i32> %y
  ret <4 x i32> %r
}
