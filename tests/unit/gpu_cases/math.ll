declare double @__nv_exp(double)
declare float @__nv_powf(float, float)
declare double @llvm.sin.f64(double)
declare float @llvm.log.f32(float)
declare double @llvm.sqrt.f64(double)
declare double @llvm.fma.f64(double, double, double)
declare double @llvm.fabs.f64(double)
declare float @llvm.floor.f32(float)
declare double @llvm.roundeven.f64(double)
declare double @llvm.copysign.f64(double, double)
define ptx_kernel void @math(ptr %d, ptr %s) {
  %x = load double, ptr %d
  %y = load float, ptr %s
  %e = call double @__nv_exp(double %x)
  %i = call double @llvm.sin.f64(double %e)
  %q = call double @llvm.sqrt.f64(double %i)
  %a = call double @llvm.fabs.f64(double %x)
  %m = call double @llvm.fma.f64(double %q, double %a, double 1.5)
  %r = call double @llvm.roundeven.f64(double %m)
  %c = call double @llvm.copysign.f64(double %r, double %x)
  store double %c, ptr %d
  %p = call float @__nv_powf(float %y, float 2.5)
  %l = call float @llvm.log.f32(float %p)
  %f = call float @llvm.floor.f32(float %l)
  store float %f, ptr %s
  ret void
}
