; SPDX-License-Identifier: Apache-2.0
; expect: declines
; +0.0 and numbers are safe.
; CHECK: %r = select <4 x i1> %c, <4 x float> %x
define <4 x float> @k.full.0(<4 x i1> %c, <4 x float> %x) {
  %r = select <4 x i1> %c, <4 x float> %x, <4 x float> <float 1.0, float 0.0, float 1.0, float 1.0>
  ret <4 x float> %r
}
