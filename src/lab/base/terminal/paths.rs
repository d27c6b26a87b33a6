//! Types of path arguments: the type says whether a file is read or written, so that the command line can be
//! checked before anything is opened. No argument is a plain path.

use std::ffi::OsString;
use std::ops::Deref;
use std::path::{Path, PathBuf};

macro_rules! path_argument {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $name(PathBuf);

        impl<T: Into<OsString>> From<T> for $name {
            fn from(path: T) -> $name {
                $name(PathBuf::from(path.into()))
            }
        }

        impl Deref for $name {
            type Target = Path;

            fn deref(&self) -> &Path {
                &self.0
            }
        }

        impl AsRef<Path> for $name {
            fn as_ref(&self) -> &Path {
                &self.0
            }
        }
    };
}

path_argument! {
    /// A file or a folder that a command reads.
    InputPath
}

path_argument! {
    /// A file that a command writes, whether it reads it before or not; `-` is standard output where the
    /// command says so.
    OutputFile
}

path_argument! {
    /// A folder that a command writes files into.
    OutputFolder
}
