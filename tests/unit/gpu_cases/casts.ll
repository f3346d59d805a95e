define ptx_kernel void @casts(ptr %p, i64 %i, double %d, half %h, ptr addrspace(3) %s) {
  %a = trunc i64 %i to i8
  %b = zext i8 %a to i32
  %c = sext i8 %a to i64
  %e = fptoui double %d to i32
  %f = fptosi double %d to i64
  %g = uitofp i32 %e to float
  %j = sitofp i64 %f to double
  %k = fptrunc double %j to float
  %l = fpext half %h to float
  %m = bitcast float %k to i32
  %n = ptrtoint ptr %p to i64
  %o = add i64 %n, 8
  %q = inttoptr i64 %o to ptr
  %r = addrspacecast ptr addrspace(3) %s to ptr
  %t = addrspacecast ptr %q to ptr addrspace(1)
  %u = trunc i64 %c to i1
  %v = zext i1 %u to i32
  %w = uitofp i1 %u to double
  %x = fptrunc float %l to half
  store half %x, ptr %p
  store i32 %b, ptr addrspace(1) %t
  store float %g, ptr %r
  %y = add i32 %m, %v
  store i32 %y, ptr %q
  %z = freeze double %w
  %neg = fneg double %z
  store double %neg, ptr %q
  ret void
}
