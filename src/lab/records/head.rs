//! Heads of files of rows: a title with the version, comment lines for everything that decides the rows, perhaps the
//! names of the columns. A run goes on with a file only if the head is the one that it would write itself.

/// Head of a file of rows.
#[derive(Clone, Debug)]
pub struct Head {
    title: &'static str,
    text: String,
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
        Head { title, text }
    }

    /// A head with lines of its own, the first of which begins with the title.
    #[must_use]
    pub fn from_text(title: &'static str, text: String) -> Head {
        Head { title, text }
    }

    /// Adds the names of the columns, separated by commas.
    #[must_use]
    pub fn with_columns(mut self, names: &str) -> Head {
        self.text += names;
        self.text.push('\n');
        self
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

    /// The part of a file behind its head; `None` if the file ends within the head, and nothing is lost by writing it
    /// anew. `same` compares a line of the file with the line that is wanted.
    ///
    /// # Errors
    /// If the file has another head.
    pub fn rows<'t>(
        &self,
        text: &'t str,
        same: impl Fn(&str, &str) -> bool,
    ) -> Result<Option<&'t str>, Mismatch> {
        if self.text.starts_with(text) {
            return Ok(None);
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
        Ok(Some(&text[length..]))
    }
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
        let rows =
            |text: &str| head.rows(text, |found, wanted| found == wanted).map(|rows| rows.map(str::to_owned));
        assert!(text.ends_with("\n# depth 3\n# hash 1\na,b\n"));
        assert_eq!(rows(&format!("{text}1,2\n")), Ok(Some("1,2\n".to_owned())));
        for length in [0, 5, text.len() - 1, text.len()] {
            assert_eq!(rows(&text[..length]), Ok(None), "{length}");
        }
        assert_eq!(rows("my diary\n"), Err(Mismatch::Kind));
        let (found, wanted) = ("depth 4".to_owned(), "depth 3".to_owned());
        assert_eq!(rows(&text.replace("depth 3", "depth 4")), Err(Mismatch::Work { found, wanted }));
    }

    #[test]
    fn some_lines_may_differ() {
        let head = Head::new("# plumb own", &["program 1".to_owned(), "depth 3".to_owned()]);
        let other = head.text().replace("program 1", "program 22") + "row\n";
        let program = |found: &str, wanted: &str| found == wanted || found.starts_with("# program ");
        assert_eq!(head.rows(&other, program), Ok(Some("row\n")));
    }
}
