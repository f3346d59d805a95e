; PTX: .entry kernel_of_names_
@"table.of-things" = internal addrspace(1) global [2 x i32] [i32 1, i32 2]
define internal i32 @"f<int32>.1"(i32 %"x.y") {
"the entry":
  %"0" = add i32 %"x.y", 1
  %t.0 = mul i32 %"0", 3
  ret i32 %t.0
}
define internal i32 @f_int32__1(i32 %x) noinline {
  ret i32 %x
}
define ptx_kernel void @"kernel.of(names)"(ptr %p) {
  %v0 = load i32, ptr addrspace(1) @"table.of-things"
  %b0 = call i32 @"f<int32>.1"(i32 %v0)
  %a0 = call i32 @f_int32__1(i32 %b0)
  store i32 %a0, ptr %p
  ret void
}
