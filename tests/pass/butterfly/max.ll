; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: width=32 block=64
; The largest float, by steps in the other order.
; CHECK: remark butterfly: k, k.region.0, block entry: one value for all lanes
; CHECK: call i32 @heddle.shfl.idx(i32 -1,
; CHECK: [[ONE:%[0-9]+]] = bitcast i32 %{{[0-9]+}} to float
; CHECK: store float [[ONE]], ptr addrspace(1) %q
declare i32 @heddle.tid.x()
declare ptr addrspace(4) @heddle.args()
declare i32 @heddle.shfl.bfly(i32, i32, i32, i32)
declare float @heddle.max.f32(float, float)
define i32 @k.region.0() {
entry:
  %a = call ptr addrspace(4) @heddle.args()
  %p = load ptr addrspace(1), ptr addrspace(4) %a
  %t = call i32 @heddle.tid.x()
  %f = sitofp i32 %t to float
  %b0 = bitcast float %f to i32
  %s0 = call i32 @heddle.shfl.bfly(i32 -1, i32 %b0, i32 1, i32 31)
  %g0 = bitcast i32 %s0 to float
  %x0 = call float @heddle.max.f32(float %f, float %g0)
  %b1 = bitcast float %x0 to i32
  %s1 = call i32 @heddle.shfl.bfly(i32 -1, i32 %b1, i32 2, i32 31)
  %g1 = bitcast i32 %s1 to float
  %x1 = call float @heddle.max.f32(float %x0, float %g1)
  %b2 = bitcast float %x1 to i32
  %s2 = call i32 @heddle.shfl.bfly(i32 -1, i32 %b2, i32 4, i32 31)
  %g2 = bitcast i32 %s2 to float
  %x2 = call float @heddle.max.f32(float %x1, float %g2)
  %b3 = bitcast float %x2 to i32
  %s3 = call i32 @heddle.shfl.bfly(i32 -1, i32 %b3, i32 8, i32 31)
  %g3 = bitcast i32 %s3 to float
  %x3 = call float @heddle.max.f32(float %x2, float %g3)
  %b4 = bitcast float %x3 to i32
  %s4 = call i32 @heddle.shfl.bfly(i32 -1, i32 %b4, i32 16, i32 31)
  %g4 = bitcast i32 %s4 to float
  %x4 = call float @heddle.max.f32(float %x3, float %g4)
  %o = zext i32 %t to i64
  %q = getelementptr float, ptr addrspace(1) %p, i64 %o
  store float %x4, ptr addrspace(1) %q
  ret i32 0
}
