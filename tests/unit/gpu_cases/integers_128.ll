define ptx_kernel void @integers_128(ptr %p, i128 %a, i128 %b) {
  %c = mul i128 %a, %b
  %d = sdiv i128 %c, %b
  %e = urem i128 %d, 1000000007
  %f = add nsw i128 %e, 170141183460469231731687303715884105727
  store i128 %f, ptr %p, align 16
  ret void
}
