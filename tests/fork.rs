//! A fork: both processes go on with the same generator, and draw other bytes. A program without the test harness, since
//! that has threads, and to fork one of several threads may leave a lock closed for ever (in emulators it does).

#[cfg(unix)]
fn main() {
    use pqc::isa::Isa;
    use pqc::rng::{FastKeyErasure, RandomSource};
    use std::io::{Read, Write};
    unsafe extern "C" {
        fn fork() -> i32;
        fn _exit(status: i32) -> !;
        fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    }
    let (mut reader, mut writer) = std::io::pipe().expect("a pipe");
    let mut generator = FastKeyErasure::new(Isa::detect()).expect("a generator");
    generator.fill(&mut [0; 10]).expect("bytes");
    let mut drawn = [0; 64];
    // SAFETY: this process has one thread; the child draws bytes, writes them and ends.
    let child = unsafe { fork() };
    if child == 0 {
        let is_written = generator.fill(&mut drawn).is_ok() && writer.write_all(&drawn).is_ok();
        // SAFETY: it does not return.
        unsafe { _exit(i32::from(!is_written)) };
    }
    assert!(child > 0, "a child");
    drop(writer);
    generator.fill(&mut drawn).expect("bytes");
    let (mut of_child, mut status) = (Vec::new(), 0);
    reader.read_to_end(&mut of_child).expect("what the child drew");
    // SAFETY: the child is ours, and the status has room.
    assert_eq!(unsafe { waitpid(child, &raw mut status, 0) }, child);
    assert_eq!((status, of_child.len()), (0, drawn.len()));
    assert_ne!(of_child, drawn);
}

#[cfg(not(unix))]
fn main() {}
