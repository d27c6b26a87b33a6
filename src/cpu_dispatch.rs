//! CPU dispatch: a program built for every x86-64 executes the best build in its folder that this processor
//! can run (`plumb-x86-64-v3` beside `plumb`, as `make portable` leaves them).
//!
//! The choice is made once, at the start, so that the search has no branch for it. A build never executes one
//! for its own level or a lower one, and a program without such neighbours starts without delay.

/// Microarchitecture level of x86-64, 1 to 4, from the features of each level that can be detected.
#[cfg(all(unix, target_arch = "x86_64"))]
macro_rules! level {
    ($has:ident) => {
        if !$has!("cmpxchg16b", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3") {
            1
        } else if !$has!("avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave") {
            2
        } else if !$has!("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl") {
            3
        } else {
            4
        }
    };
}

/// True if this program was built for all of these features.
#[cfg(all(unix, target_arch = "x86_64"))]
macro_rules! built_for {
    ($($feature:tt),+) => { cfg!(all($(target_feature = $feature),+)) };
}

/// True if this processor has all of these features.
#[cfg(all(unix, target_arch = "x86_64"))]
macro_rules! detected {
    ($($feature:tt),+) => { $(std::arch::is_x86_feature_detected!($feature))&&+ };
}

/// Executes the build of the highest level that the processor has, if there is one; if that fails, returns.
#[cfg(all(unix, target_arch = "x86_64"))]
pub(crate) fn hand_over() {
    use std::os::unix::process::CommandExt as _;
    let Ok(own) = std::env::current_exe() else { return };
    let Some(name) = own.file_name() else { return };
    let (least, most): (u8, u8) = (level!(built_for), level!(detected));
    for level in (least + 1..=most).rev() {
        let mut name = name.to_owned();
        name.push(format!("-x86-64-v{level}"));
        let neighbour = own.with_file_name(name);
        if neighbour.is_file() {
            let _ = std::process::Command::new(neighbour).args(std::env::args_os().skip(1)).exec();
        }
    }
}

/// No dispatch on other platforms.
#[cfg(not(all(unix, target_arch = "x86_64")))]
pub(crate) fn hand_over() {}
