define ptx_kernel void @arithmetic(ptr %p, i32 %a, i32 %b, double %x, double %y, half %h) {
  %c = udiv i32 %a, %b
  %d = sdiv exact i32 %c, %b
  %e = urem i32 %d, 7
  %f = srem i32 %e, %b
  %g = shl nuw i32 %f, 3
  %i = lshr i32 %g, %b
  %j = ashr i32 %i, 1
  %k = or disjoint i32 %j, 1
  %l = xor i32 %k, -1
  %m = and i32 %l, %a
  store i32 %m, ptr %p
  %n = fsub fast double %x, %y
  %o = fmul nnan ninf nsz double %n, 0x3FB999999999999A
  %q = fdiv arcp contract double %o, %y
  %r = frem double %q, 3.0
  %lt = fcmp olt double %r, %x
  %un = fcmp uno double %x, 0x7FF8000000000000
  %both = and i1 %lt, %un
  %s = select i1 %both, double %r, double -0.0
  store double %s, ptr %p
  %t = fadd half %h, 0xH3C00
  %nt = fneg half %t
  store half %nt, ptr %p
  ret void
}
