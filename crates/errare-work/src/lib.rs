//! What all long work shares: progress, cancellation, compressed streams, files that appear whole or not at all, and files
//! that are read whatever they turn out to be.
//!
//! A long function takes `&dyn Progress`, reports its [`Status`] now and then, and asks
//! [`proceed`](Progress::proceed) at least every few milliseconds, so that whoever waits can stop it.
//!
//! ```
//! use errare_work::{Cancel, Cancelled, Progress, Silent, Status};
//!
//! fn sum(numbers: &[u64], progress: &dyn Progress) -> Result<u64, Cancelled> {
//!     let mut sum = 0;
//!     for (done, number) in (0..).zip(numbers) {
//!         progress.proceed()?;
//!         progress.report(&Status::new("adding", "numbers").at(done, numbers.len() as u64));
//!         sum += number;
//!     }
//!     Ok(sum)
//! }
//!
//! assert_eq!(sum(&[1, 2, 3], &Silent), Ok(6));
//! let cancel = Cancel::new();
//! cancel.cancel();
//! assert_eq!(sum(&[1, 2, 3], &cancel), Err(Cancelled));
//! ```

mod cancel;
mod clash;
mod known_text;
mod progress;
mod reading;
mod streams;
mod suggestion;
mod unpacked;
mod whole_file;

pub use cancel::{Cancel, Cancelled};
pub use clash::{OutputClash, WorkFiles, same_file};
pub use known_text::known_text;
pub use progress::{PlanStatus, Progress, Silent, Status, Unreported};
pub use reading::{check_regular, open_lock, open_regular, read_bounded};
pub use streams::{STANDARD_STREAM, is_stdout};
pub use suggestion::did_you_mean;
pub use unpacked::Unpacked;
pub use whole_file::{WholeFile, WriteError, write_whole};
