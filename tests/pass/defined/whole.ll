; SPDX-License-Identifier: Apache-2.0
; expect: declines
; Vectors that are defined in all lanes or in none.
; CHECK: insertelement <4 x i32> poison, i32 %y
; CHECK: or <4 x i32> {{%.*}}, <i32 0, i32 1, i32 2, i32 3>
define <4 x i32> @k.full.0(i32 %y) {
  %i = insertelement <4 x i32> poison, i32 %y, i64 0
  %s = shufflevector <4 x i32> %i, <4 x i32> poison, <4 x i32> zeroinitializer
  %a = or <4 x i32> %s, <i32 0, i32 1, i32 2, i32 3>
  ret <4 x i32> %a
}
