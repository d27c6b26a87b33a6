//! Tokens of PGN, read as a stream: tags, words of the movetext, comments, parentheses. Nothing is passed
//! over: a word that is neither a move nor anything else of the format is a token too, so that the reader of
//! games can refuse it.

use std::io::{self, Read};

/// Bytes read at a time.
const BUFFER: usize = 1 << 16;

/// Bytes of a word or the name of a tag that are kept: longer ones are no moves.
const MOST_WORD: usize = 255;

/// Bytes of the value of a tag that are kept; the rest is passed over.
const MOST_TAG: usize = 1 << 16;

/// Bytes of a comment that are kept; the rest is passed over.
const MOST_COMMENT: usize = 1 << 20;

/// Bytes of which words are made and that have no meaning for where they end.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let letter = byte as u8;
        plain[byte] =
            letter.is_ascii_alphanumeric() || matches!(letter, b'.' | b'-' | b'=' | b'+' | b'#' | b'/');
        byte += 1;
    }
    plain
};

/// Kind of a token; its bytes are in [`Lexer::text`], those of a comment where the caller wants them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// A tag pair; the name is [`Lexer::name`], the text its value. `after_blank`: an empty line stands
    /// before it.
    Tag {
        /// True if an empty line, or the beginning of the file, stands before it.
        after_blank: bool,
        /// False if quotation marks or the bracket are missing.
        whole: bool,
    },
    /// A word of the movetext: a move, a number, a result, or something else. `last`: the file ends with its
    /// last byte.
    Word {
        /// True if no byte follows, not even the end of a line.
        last: bool,
    },
    /// A comment, in braces or behind a semicolon.
    Comment,
    /// A comment in braces that is not closed before the end of the file or the next game.
    OpenComment,
    /// A number of an annotation, as in `$3`.
    Nag,
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// The end of the file.
    End,
}

/// Splits a source into tokens.
pub struct Lexer<R> {
    source: R,
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    /// Lines read so far.
    lines: u64,
    /// True at the beginning of a line, blanks left aside.
    line_start: bool,
    /// True at the very first byte of a line.
    column_zero: bool,
    /// True if the last line that was read was empty.
    blank: bool,
    /// True if the last token was a tag: another one may follow in the line.
    after_tag: bool,
    /// Bytes of the last token.
    pub text: Vec<u8>,
    /// Name of the last tag.
    pub name: Vec<u8>,
}

impl<R: Read> Lexer<R> {
    /// A lexer at the beginning of a source.
    pub fn new(source: R) -> Lexer<R> {
        Lexer {
            source,
            buffer: vec![0; BUFFER],
            at: 0,
            end: 0,
            lines: 0,
            line_start: true,
            column_zero: true,
            blank: true,
            after_tag: false,
            text: Vec::new(),
            name: Vec::new(),
        }
    }

    /// The number of the current line, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.lines + 1
    }

    /// The next token. The text of a comment goes behind what `comments` holds.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn next_token(&mut self, comments: &mut Vec<u8>) -> io::Result<Token> {
        self.skip_blanks()?;
        let after_tag = std::mem::take(&mut self.after_tag);
        self.text.clear();
        let Some(byte) = self.peek()? else { return Ok(Token::End) };
        let at_tag = byte == b'[' && (self.line_start || after_tag);
        self.line_start = false;
        match byte {
            b'[' if at_tag => self.tag(),
            b'{' => self.brace(comments),
            b'[' if self.peek_at(1)? == Some(b'%') => {
                // A command to a program, without its comment: `[%clk 0:01:00]`.
                while self.peek()?.is_some_and(|byte| !b"\r\n]".contains(&byte)) {
                    self.bump();
                }
                if self.peek()? == Some(b']') {
                    self.bump();
                }
                Ok(Token::Nag)
            }
            b';' => {
                self.bump();
                self.rest_of_line(MOST_COMMENT)?;
                end_with_a_letter(&mut self.text, 0, MOST_COMMENT);
                comments.append(&mut self.text);
                Ok(Token::Comment)
            }
            b'(' => self.single(Token::Open),
            b')' => self.single(Token::Close),
            b'$' => {
                self.bump();
                while let Some(digit) = self.peek()?.filter(u8::is_ascii_digit) {
                    self.keep(digit, MOST_WORD);
                    self.bump();
                }
                Ok(Token::Nag)
            }
            b'}' => {
                self.keep(byte, MOST_WORD);
                self.single(Token::Word { last: false })
            }
            _ => self.word(),
        }
    }

    fn single(&mut self, token: Token) -> io::Result<Token> {
        self.bump();
        Ok(token)
    }

    /// The next byte, which stays.
    #[inline]
    fn peek(&mut self) -> io::Result<Option<u8>> {
        match self.buffer[..self.end].get(self.at) {
            Some(byte) => Ok(Some(*byte)),
            None => self.peek_at(0),
        }
    }

    /// The byte `offset` behind the next one. Offsets are small: a buffer holds them.
    fn peek_at(&mut self, offset: usize) -> io::Result<Option<u8>> {
        while self.at + offset >= self.end {
            if self.at > 0 {
                self.buffer.copy_within(self.at..self.end, 0);
                (self.at, self.end) = (0, self.end - self.at);
            }
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => return Ok(None),
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Some(self.buffer[self.at + offset]))
    }

    /// Passes over the byte that was seen last.
    #[inline]
    fn bump(&mut self) {
        self.at += 1;
        self.column_zero = false;
    }

    #[inline]
    fn keep(&mut self, byte: u8, most: usize) {
        if self.text.len() < most {
            self.text.push(byte);
        }
    }

    /// Passes over the end of a line: LF, CR, or both. True if there was one.
    fn end_of_line(&mut self) -> io::Result<bool> {
        match self.peek()? {
            Some(b'\r') => {
                self.bump();
                if self.peek()? == Some(b'\n') {
                    self.bump();
                }
            }
            Some(b'\n') => self.bump(),
            _ => return Ok(false),
        }
        self.lines += 1;
        (self.line_start, self.column_zero) = (true, true);
        Ok(true)
    }

    /// Passes over white space, commas, and lines that a percent sign takes out.
    fn skip_blanks(&mut self) -> io::Result<()> {
        loop {
            let started = self.line_start;
            match self.peek()? {
                Some(b'\r' | b'\n') => {
                    self.blank = started;
                    self.end_of_line()?;
                }
                Some(b'%') if self.column_zero => {
                    self.rest_of_line(0)?;
                    self.line_start = false;
                }
                // The end of a file of DOS, and bytes of nothing, among them.
                Some(b' ' | b'\t' | 0x0b | 0x0c | b',' | 0x1a | 0) => self.bump(),
                // The mark of UTF-8, and spaces that do not break.
                Some(0xef) if self.peek_at(1)? == Some(0xbb) && self.peek_at(2)? == Some(0xbf) => {
                    self.at += 3
                }
                Some(0xc2) if self.peek_at(1)? == Some(0xa0) => self.at += 2,
                _ => return Ok(()),
            }
        }
    }

    fn rest_of_line(&mut self, most: usize) -> io::Result<()> {
        while let Some(byte) = self.peek()?.filter(|byte| !b"\r\n".contains(byte)) {
            self.keep(byte, most);
            self.bump();
        }
        Ok(())
    }

    /// A tag pair. The value ends at a quotation mark before a bracket, so that quotation marks inside it,
    /// which should have a backslash, do no harm; a pair ends with its line at the latest.
    fn tag(&mut self) -> io::Result<Token> {
        let after_blank = std::mem::take(&mut self.blank);
        self.bump();
        self.name.clear();
        self.skip_tag_blanks()?;
        while let Some(byte) = self.peek()?.filter(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            if self.name.len() < MOST_WORD {
                self.name.push(byte);
            }
            self.bump();
        }
        self.skip_tag_blanks()?;
        let mut whole = self.peek()? == Some(b'"');
        if whole {
            self.bump();
            whole = self.value()?;
        }
        if self.peek()? == Some(b']') {
            self.bump();
        } else {
            whole = false;
            while let Some(byte) = self.peek()?.filter(|byte| !b"\r\n]".contains(byte)) {
                self.keep(byte, MOST_TAG);
                self.bump();
            }
            if self.peek()? == Some(b']') {
                self.bump();
            }
        }
        end_with_a_letter(&mut self.text, 0, MOST_TAG);
        self.after_tag = true;
        Ok(Token::Tag { after_blank, whole })
    }

    /// Passes over the blanks inside the brackets of a tag.
    fn skip_tag_blanks(&mut self) -> io::Result<()> {
        while matches!(self.peek()?, Some(b' ' | b'\t')) {
            self.bump();
        }
        Ok(())
    }

    /// The value of a tag, up to its closing quotation mark. True if there is one.
    fn value(&mut self) -> io::Result<bool> {
        while let Some(byte) = self.peek()?.filter(|byte| !b"\r\n".contains(byte)) {
            self.bump();
            match (byte, self.peek()?) {
                (b'\\', Some(next @ (b'"' | b'\\'))) => {
                    self.keep(next, MOST_TAG);
                    self.bump();
                }
                (b'"', Some(b']')) => return Ok(true),
                (b'"', Some(b' ' | b'\t')) if self.closes()? => return Ok(true),
                _ => self.keep(byte, MOST_TAG),
            }
        }
        Ok(false)
    }

    /// True if only blanks stand before the closing bracket; they are passed over.
    fn closes(&mut self) -> io::Result<bool> {
        let mut blanks = 0;
        while blanks < MOST_WORD && matches!(self.peek_at(blanks)?, Some(b' ' | b'\t')) {
            blanks += 1;
        }
        let closes = self.peek_at(blanks)? == Some(b']');
        if closes {
            self.at += blanks;
        }
        Ok(closes)
    }

    /// A comment in braces. One that runs into the tags of the next game was not closed.
    fn brace(&mut self, text: &mut Vec<u8>) -> io::Result<Token> {
        self.bump();
        let start = text.len();
        let token = self.brace_until(text, start + MOST_COMMENT);
        end_with_a_letter(text, start, MOST_COMMENT);
        token
    }

    /// The rest of a comment in braces, as long as the text has less than `most` bytes.
    fn brace_until(&mut self, text: &mut Vec<u8>, most: usize) -> io::Result<Token> {
        while let Some(byte) = self.peek()? {
            if byte == b'}' {
                return self.single(Token::Comment);
            }
            if self.end_of_line()? {
                if text.len() < most {
                    text.push(b' ');
                }
                if self.begins_a_game()? {
                    return Ok(Token::OpenComment);
                }
                continue;
            }
            self.line_start = false;
            let read = &self.buffer[self.at..self.end];
            let length = memchr::memchr3(b'}', b'\r', b'\n', read).unwrap_or(read.len());
            let kept = length.min(most.saturating_sub(text.len()));
            text.extend_from_slice(&read[..kept]);
            self.at += length;
            self.column_zero = false;
        }
        Ok(Token::OpenComment)
    }

    fn begins_a_game(&mut self) -> io::Result<bool> {
        for (offset, byte) in b"[Event \"".iter().enumerate() {
            if self.peek_at(offset)? != Some(*byte) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A word: up to white space, a comma, a comment, an annotation or a parenthesis. Parentheses around a
    /// piece belong to it: `a8(Q)`.
    fn word(&mut self) -> io::Result<Token> {
        self.blank = false;
        loop {
            // Most words hold nothing but letters, digits and signs of ASCII.
            let read = &self.buffer[self.at..self.end];
            let plain = read.iter().position(|byte| !PLAIN[usize::from(*byte)]).unwrap_or(read.len());
            let kept = plain.min((MOST_WORD + 1).saturating_sub(self.text.len()));
            self.text.extend_from_slice(&read[..kept]);
            self.at += plain;
            self.column_zero = false;
            match self.peek()? {
                None => return Ok(Token::Word { last: true }),
                Some(byte) if byte.is_ascii_whitespace() || b"\x0b\x1a\0,{};$)".contains(&byte) => break,
                // Files that were joined without the end of a line.
                Some(b'[') if self.begins_a_game()? => {
                    self.line_start = true;
                    break;
                }
                Some(b'(') => match self.piece_in_parentheses()? {
                    Some(length) => (0..length).try_for_each(|_| self.take())?,
                    None => break,
                },
                Some(0xc2) if self.peek_at(1)? == Some(0xa0) => break,
                Some(_) => self.take()?,
            }
        }
        Ok(Token::Word { last: false })
    }

    fn take(&mut self) -> io::Result<()> {
        if let Some(byte) = self.peek()? {
            self.keep(byte, MOST_WORD + 1);
            self.bump();
        }
        Ok(())
    }

    /// The length of a piece in parentheses, as in `(Q)`: one letter or two, of any script, behind a square
    /// or `=`.
    fn piece_in_parentheses(&mut self) -> io::Result<Option<usize>> {
        const MOST: usize = 5;
        if !self.text.last().is_some_and(|last| last.is_ascii_digit() || *last == b'=') {
            return Ok(None);
        }
        for offset in 1..=MOST {
            match self.peek_at(offset)? {
                Some(b')') if offset > 1 => return Ok(Some(offset + 1)),
                Some(byte) if byte.is_ascii_alphabetic() || !byte.is_ascii() || byte == b'=' => {}
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
}

/// Removes the first bytes of a letter of UTF-8 from the end of a text that begins at `start` and may have
/// been cut at `most` bytes.
fn end_with_a_letter(text: &mut Vec<u8>, start: usize, most: usize) {
    if text.len() - start >= most
        && let Err(error) = std::str::from_utf8(&text[start..])
        && error.error_len().is_none()
    {
        text.truncate(start + error.valid_up_to());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens of a text, each with its bytes.
    fn tokens(text: &[u8]) -> Vec<(Token, String)> {
        let mut lexer = Lexer::new(text);
        let mut found = Vec::new();
        loop {
            let mut comment = Vec::new();
            let token = lexer.next_token(&mut comment).unwrap();
            let name = if matches!(token, Token::Tag { .. }) {
                format!("{}=", String::from_utf8_lossy(&lexer.name))
            } else {
                String::new()
            };
            if token == Token::End {
                return found;
            }
            let text = if comment.is_empty() { &lexer.text } else { &comment };
            found.push((token, name + &String::from_utf8_lossy(text)));
        }
    }

    fn texts(text: &[u8]) -> Vec<String> {
        tokens(text).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn every_part_of_a_text_is_a_token() {
        let text = b"[Event \"a \\\"b\\\"\"]\n[White \"c \"d\" e\" ]\n\n1.e4{x\ny}e5$1(1...c5 ; \
        rest\n2.Nf3)2.a8(Q)(c) }<*";
        let wanted = [
            "Event=a \"b\"",
            "White=c \"d\" e",
            "1.e4",
            "x y",
            "e5",
            "1",
            "",
            "1...c5",
            " rest",
            "2.Nf3",
            "",
            "2.a8(Q)",
        ];
        let found = texts(text);
        assert_eq!(found[..wanted.len()], wanted);
        assert_eq!(found[wanted.len()..], ["", "c", "", "}", "<*"]);
    }

    #[test]
    fn a_token_is_the_same_wherever_a_buffer_ends() {
        /// Gives a byte at a time.
        struct Slow<'a>(&'a [u8]);
        impl Read for Slow<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let length = self.0.len().min(1).min(buffer.len());
                buffer[..length].copy_from_slice(&self.0[..length]);
                self.0 = &self.0[length..];
                Ok(length)
            }
        }
        let text = "\u{feff}[A \"b\"]\r\n\r\n1. e4\u{a0}{c} e5 (d4 d5) a8(Q) 1-0\r\n".as_bytes();
        let mut slow = Lexer::new(Slow(text));
        for (token, _) in tokens(text) {
            assert_eq!(slow.next_token(&mut Vec::new()).unwrap(), token);
        }
        assert_eq!(slow.next_token(&mut Vec::new()).unwrap(), Token::End);
    }

    #[test]
    fn tags_know_of_empty_lines_and_of_missing_marks() {
        let found = tokens(b"[A \"1\"]\n[B \"2\"] [C \"3\"]\n\n[D 4]\n[E \"5]\n");
        let wanted = [(true, true), (false, true), (false, true), (true, false), (false, false)];
        let tags = found.iter().map(|(token, _)| match *token {
            Token::Tag { after_blank, whole } => (after_blank, whole),
            _ => panic!("{token:?}"),
        });
        assert_eq!(tags.collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn lines_may_end_in_any_way_and_percent_takes_one_out() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["1. e4", "% gone", "e5 % stays", ""].join(end);
            assert_eq!(texts(text.as_bytes()), ["1.", "e4", "e5", "%", "stays"], "{end:?}");
        }
    }

    #[test]
    fn a_comment_that_is_not_closed_ends_before_the_next_game() {
        let found = tokens(b"1. e4 {never\n[Event \"next\"]\n");
        assert_eq!(found[2].0, Token::OpenComment);
        assert_eq!(found[3].1, "Event=next");
        assert_eq!(tokens(b"{").pop().unwrap().0, Token::OpenComment);
    }

    #[test]
    fn blanks_may_stand_inside_the_brackets_of_a_tag() {
        assert_eq!(tokens(b"[ FEN  \"x y\" ]\n")[0].1, "FEN=x y");
    }

    #[test]
    fn long_words_are_cut_and_stay_too_long() {
        let text = "e".repeat(1000);
        assert_eq!(texts(text.as_bytes())[0].len(), MOST_WORD + 1);
    }

    #[test]
    fn tags_and_comments_are_cut_between_letters() {
        // The limit falls inside a letter of two bytes.
        let letters = |limit: usize| "x".repeat(1 - limit % 2) + &"é".repeat(limit);
        let (tag, comment) = (letters(MOST_TAG), letters(MOST_COMMENT));
        let found = tokens(format!("[A \"{tag}\"]\n1. {{{comment}}} e4 ;{comment}\n").as_bytes());
        assert_eq!(found[0].1, format!("A={}", &tag[..MOST_TAG - 1]));
        assert!([2, 4].iter().all(|&at| found[at].1 == comment[..MOST_COMMENT - 1]));
    }

    #[test]
    fn a_command_to_a_program_that_is_cut_ends_with_its_line_or_the_file() {
        for cut in ["e4 [%", "e4 [%clk 0:01", "\u{e}\t[%"] {
            assert_eq!(tokens(cut.as_bytes()).last(), Some(&(Token::Nag, String::new())), "{cut}");
        }
        assert_eq!(texts(b"e4 [%clk 0:01\ne5 [%clk 0:02]e6"), ["e4", "", "e5", "", "e6"]);
    }
}
