//! Links the unwinder into the keeper's program, where the tools have it as an archive (GNU on Linux).
//!
//! To load and set up `libgcc_s.so` costs each keeper about a tenth of all its processor time, half of it for questions
//! to the processor that a virtual machine answers slowly. The whole archive is named because the standard library
//! asks for the shared one first: definitions within the program win, and the shared library is left out as unneeded.

fn main() {
    let target = |part: &str| std::env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo:rustc-link-arg-bins=-Wl,--whole-archive,-lgcc_eh,--no-whole-archive");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
