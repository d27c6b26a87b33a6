//! Enums of named choices: variants, names and parsing, declared once.

/// Declares an enum of named choices: variants, their names, a shorter alias where the name holds letters
/// that a shell reads (`MtdF = "MTD(f)" / "mtdf"`), and [`FromStr`](std::str::FromStr) that reads both,
/// ignoring case and taking white space for a hyphen.
///
/// ```
/// plumb_minimax::choice! {
///     /// A side.
///     Side {
///         /// The first to move.
///         #[default]
///         White = "White",
///         /// The second.
///         Black = "Black" / "b",
///     }
/// }
/// assert_eq!((Side::Black.name(), Side::White.alias()), ("Black", "White"));
/// assert_eq!(" B ".parse(), Ok(Side::Black));
/// ```
#[macro_export]
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$item_doc:meta])* $item:ident = $text:literal $(/ $alias:literal)?),+ $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
        pub enum $name { $($(#[$item_doc])* $item),+ }

        impl $name {
            /// All choices, in the order of the option.
            pub const ALL: &'static [$name] = &[$($name::$item),+];

            /// The name, as in the option.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$item => $text),+ }
            }

            /// The name for command lines and file names, which a shell does not mangle.
            #[must_use]
            pub fn alias(self) -> &'static str {
                match self { $($name::$item => [$($alias,)? $text][0]),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.pad(self.name()) }
        }

        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<$name, String> {
                // White space is as good as a hyphen: match runners split values at it.
                let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join("-");
                let asked = plain(text);
                let same = |name: &str| name.eq_ignore_ascii_case(&asked);
                let is = |name: &str| same(name) || same(&plain(name));
                $name::ALL.iter().copied().find(|c| is(c.name()) || is(c.alias())).ok_or_else(|| {
                    let known: Vec<_> = $name::ALL.iter().map(|c| c.name()).collect();
                    format!("unknown choice '{text}' (known: {})", known.join(", "))
                })
            }
        }
    };
}
