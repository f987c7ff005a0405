; SPDX-License-Identifier: Apache-2.0
; expect: declines
; cpu: haswell
; A signed difference is another node, which is right.
; CHECK: %r = select
define <4 x i64> @k.full.0(<4 x i64> %a, <4 x i64> %b) {
  %c = icmp slt <4 x i64> %a, %b
  %x = sub <4 x i64> %b, %a
  %y = sub <4 x i64> %a, %b
  %r = select <4 x i1> %c, <4 x i64> %x, <4 x i64> %y
  ret <4 x i64> %r
}
