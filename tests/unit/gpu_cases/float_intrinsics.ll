declare double @llvm.minnum.f64(double, double)
declare float @llvm.maximum.f32(float, float)
declare double @llvm.minimum.f64(double, double)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare i64 @llvm.fptoui.sat.i64.f32(float)
declare double @llvm.ceil.f64(double)
declare double @llvm.trunc.f64(double)
declare float @llvm.rint.f32(float)
declare double @llvm.nearbyint.f64(double)
declare double @llvm.fmuladd.f64(double, double, double)
define ptx_kernel void @float_intrinsics(ptr %p, double %x, double %y, float %f) {
  %a = call double @llvm.minnum.f64(double %x, double %y)
  %b = call float @llvm.maximum.f32(float %f, float 1.0)
  %c = call double @llvm.minimum.f64(double %a, double %y)
  %d = call i32 @llvm.fptosi.sat.i32.f64(double %c)
  %e = call i64 @llvm.fptoui.sat.i64.f32(float %b)
  %g = call double @llvm.ceil.f64(double %c)
  %h = call fast double @llvm.trunc.f64(double %g)
  %i = call float @llvm.rint.f32(float %b)
  %j = call double @llvm.nearbyint.f64(double %h)
  %k = call double @llvm.fmuladd.f64(double %j, double %x, double %y)
  store i32 %d, ptr %p
  store i64 %e, ptr %p
  store float %i, ptr %p
  store double %k, ptr %p
  ret void
}
