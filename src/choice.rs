//! Options that are one of a few names: an enum, its names and their parsing, declared once.

/// Declares an enum of named choices with its names in options, parsed ignoring case.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
        pub enum $name { $($(#[$item_doc])* $item),+ }

        impl $name {
            /// Every choice, in the order in which options list them.
            pub const ALL: &'static [$name] = &[$($name::$item),+];

            /// The name as options show it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$item => $text),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.pad(self.name()) }
        }

        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<$name, String> {
                $name::ALL.iter().copied().find(|c| c.name().eq_ignore_ascii_case(text.trim())).ok_or_else(|| {
                    let known: Vec<_> = $name::ALL.iter().map(|c| c.name()).collect();
                    format!("unknown choice '{text}' (known: {})", known.join(", "))
                })
            }
        }
    };
}
pub(crate) use choice;
