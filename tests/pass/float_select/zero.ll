; SPDX-License-Identifier: Apache-2.0
; expect: fires
; One lane of the constant is -0.0: the selection is one of integers.
; CHECK: select <4 x i1> %c, <4 x i32> {{%[0-9]+}}, <4 x i32>
; CHECK-NOT: select <4 x i1> %c, <4 x float>
define <4 x float> @k.full.0(<4 x i1> %c, <4 x float> %x) {
  %r = select <4 x i1> %c, <4 x float> %x, <4 x float> <float 1.0, float -0.0, float 1.0, float 1.0>
  ret <4 x float> %r
}
