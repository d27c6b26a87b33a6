//! Heads of files of rows: a title with the version, comment lines for everything that decides the rows,
//! perhaps the names of the columns. A run continues a file only if the head is the one that it would write
//! itself, and the checksums of the rows cover the head.

use super::fingerprint::{EMPTY, digest, extend};

/// Head of a file of rows.
#[derive(Clone, Debug)]
pub struct Head {
    title: &'static str,
    text: String,
    /// False if the checksums of the rows cover the rows alone.
    covered: bool,
}

/// Checksums of rows, FNV-1a over the head of the file and the row: a row under another head is as damaged as
/// a row that was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowChecksum(u64);

impl RowChecksum {
    /// Checksums of rows alone, as earlier versions wrote them everywhere, and as files have whose heads are
    /// all the same.
    pub const ALONE: RowChecksum = RowChecksum(EMPTY);

    /// Checksums of rows under a head of these bytes.
    #[must_use]
    pub fn under(head: &[u8]) -> RowChecksum {
        RowChecksum(digest(head))
    }

    /// The checksums of rows under the head with another line.
    #[must_use]
    pub fn with_line(self, line: &[u8]) -> RowChecksum {
        RowChecksum(extend(self.0, line))
    }

    /// Lines, each with its checksum as a last cell behind a comma.
    #[must_use]
    pub fn append_to(self, lines: &str) -> String {
        lines.lines().map(|line| format!("{line},{:016x}\n", extend(self.0, line.as_bytes()))).collect()
    }

    /// The row of a line with a checksum; `None` if the checksum is missing or of something else.
    #[must_use]
    pub fn verified(self, line: &str) -> Option<&str> {
        let (row, sum) = line.rsplit_once(',')?;
        (sum == format!("{:016x}", extend(self.0, row.as_bytes()))).then_some(row)
    }
}

/// Difference between the head of a file and the one that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The file begins with another title: it is of another kind.
    Kind,
    /// The rows are of other work: the first line of the heads that differs, comment marks removed.
    Work {
        /// The line of the file.
        found: String,
        /// The line that is wanted.
        wanted: String,
    },
}

impl Head {
    /// The title and the version of the program, then a comment line for each parameter.
    #[must_use]
    pub fn new(title: &'static str, parameters: &[String]) -> Head {
        let mut text = format!("{title} {}\n", env!("CARGO_PKG_VERSION"));
        parameters.iter().for_each(|line| text += &format!("# {line}\n"));
        Head { title, text, covered: true }
    }

    /// A head with lines of its own, the first of which begins with the title.
    #[must_use]
    pub fn from_text(title: &'static str, text: String) -> Head {
        Head { title, text, covered: true }
    }

    /// Adds the names of the columns, separated by commas; the last column is the checksum.
    #[must_use]
    pub fn with_columns(mut self, names: &str) -> Head {
        self.text += &format!("{names},checksum\n");
        self
    }

    /// The head of a file whose checksums cover the rows alone ([`RowChecksum::ALONE`]).
    #[must_use]
    pub fn uncovered(mut self) -> Head {
        self.covered = false;
        self
    }

    /// The checksums of the rows that are written behind it.
    #[must_use]
    pub fn checksums(&self) -> RowChecksum {
        self.checksums_under(self.text.as_bytes())
    }

    /// The checksums of the rows of a file in which it has these bytes.
    #[must_use]
    pub fn checksums_under(&self, bytes: &[u8]) -> RowChecksum {
        if self.covered { RowChecksum::under(bytes) } else { RowChecksum::ALONE }
    }

    /// The title without its comment mark.
    #[must_use]
    pub fn kind(&self) -> &str {
        plain(self.title)
    }

    /// The lines of the head, each with its end.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Bytes of the head of a file; `None` if the file ends within it, or is torn there, and nothing is lost
    /// by writing it anew. `same` compares a line of the file with the line that is wanted.
    ///
    /// # Errors
    /// If the file has another head.
    pub fn length(&self, bytes: &[u8], same: impl Fn(&str, &str) -> bool) -> Result<Option<usize>, Mismatch> {
        let text = text_of(bytes);
        if self.text.starts_with(text) && text.len() < self.text.len() {
            let rest = &bytes[text.len()..];
            let ours = text.len() >= self.title.len() && !holds_text(rest);
            return if ours || rest.iter().all(|&byte| byte == 0) { Ok(None) } else { Err(Mismatch::Kind) };
        }
        if !text.starts_with(self.title) {
            return Err(Mismatch::Kind);
        }
        let mut length = 0;
        let mut lines = text.split_inclusive('\n');
        for wanted in self.text.lines() {
            let line = lines.next().unwrap_or_default();
            let found = line.strip_suffix('\n').unwrap_or(line);
            if !same(found, wanted) {
                let (found, wanted) = (plain(found.trim_end()).to_owned(), plain(wanted).to_owned());
                return Err(Mismatch::Work { found, wanted });
            }
            length += line.len();
        }
        Ok(Some(length))
    }
}

/// The bytes up to the first that is no text: no UTF-8, or a control character that ends no line.
#[must_use]
pub fn text_of(bytes: &[u8]) -> &str {
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    };
    let foreign = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
    &valid[..valid.find(foreign).unwrap_or(valid.len())]
}

/// True if a whole line of these bytes, other than the first, is text.
fn holds_text(bytes: &[u8]) -> bool {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').skip(1);
    lines.filter(|line| line.len() > 1 && line.ends_with(b"\n")).any(|line| text_of(line).len() == line.len())
}

fn plain(line: &str) -> &str {
    line.trim_start_matches("# ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_follow_the_same_head_only() {
        let head = Head::new("# plumb own", &["depth 3".to_owned(), "hash 1".to_owned()]).with_columns("a,b");
        let text = head.text();
        let length = |bytes: &[u8]| head.length(bytes, |found, wanted| found == wanted);
        assert!(text.ends_with("\n# depth 3\n# hash 1\na,b,checksum\n"));
        assert_eq!(length(format!("{text}1,2\n").as_bytes()), Ok(Some(text.len())));
        assert_eq!(length(format!("{text}\0\0").as_bytes()), Ok(Some(text.len())));
        for torn in [0, 5, text.len() - 1] {
            assert_eq!(length(&text.as_bytes()[..torn]), Ok(None), "{torn}");
            assert_eq!(length(&[&text.as_bytes()[..torn], &[0; 9]].concat()), Ok(None), "{torn}");
        }
        for other in ["my diary\n", "\u{1}PNG\u{2}\n\u{3}", &text.replacen("own", "o\0n", 1)] {
            assert_eq!(length(other.as_bytes()), Err(Mismatch::Kind), "{other}");
        }
        let (found, wanted) = ("depth 4".to_owned(), "depth 3".to_owned());
        let other = text.replace("depth 3", "depth 4");
        assert_eq!(length(other.as_bytes()), Err(Mismatch::Work { found, wanted }));
    }

    #[test]
    fn a_checksum_is_of_the_row_and_of_the_head_above_it() {
        let head = Head::new("# plumb own", &["seed 1".to_owned()]).with_columns("a,b");
        let other = Head::new("# plumb own", &["seed 2".to_owned()]).with_columns("a,b");
        let text = head.checksums().append_to("1,2\n3,4\n");
        let rows: Vec<_> = text.lines().map(|line| head.checksums().verified(line)).collect();
        assert_eq!(rows, [Some("1,2"), Some("3,4")]);
        for line in text.lines().chain(["1,2", ""]) {
            let (checksums, alone) = (other.checksums(), head.clone().uncovered().checksums());
            assert_eq!((checksums.verified(line), alone.verified(line)), (None, None), "{line}");
        }
        let lines = head.text().split_inclusive('\n').map(str::as_bytes);
        assert_eq!(lines.fold(RowChecksum::ALONE, RowChecksum::with_line), head.checksums());
        assert_eq!(head.uncovered().checksums(), other.uncovered().checksums());
    }

    #[test]
    fn some_lines_may_differ() {
        let head = Head::new("# plumb own", &["program 1".to_owned(), "depth 3".to_owned()]);
        let other = head.text().replace("program 1", "program 22") + "row\n";
        let program = |found: &str, wanted: &str| found == wanted || found.starts_with("# program ");
        assert_eq!(head.length(other.as_bytes(), program), Ok(Some(other.len() - 4)));
    }
}
