//! Reader of games: a game is read whole or left out, never in part, and one that is left out does not end
//! the run.
//!
//! A word of the main line has to be a move, a number, an annotation or a result. The language of the pieces'
//! letters is decided by all moves of a game: that in which every word is a legal move. Tags that name
//! another variant, and results that contradict each other or the board, leave the game out.

use super::super::san::{self, Spelling};
use super::language::{Replayed, replay_in_its_language};
use super::lexer::{Lexer, Token};
use super::remarks::{OpenVariation, Remarks};
use super::{LeftOut, is_both_lost, is_dash, shown, winner};
use crate::chess::game::Game;
use shakmaty::{Chess, Color, Move, Position as _};
use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;

/// Limits of a game, so that a file of any contents is read in little memory: words, and their bytes;
/// numbers; tags; comments, and their bytes that are kept.
const MOST_WORDS: usize = 20_000;
const MOST_WORD_BYTES: usize = 1 << 20;
const MOST_NUMBERS: usize = 2 * MOST_WORDS;
const MOST_TAGS: usize = 1_000;
const MOST_PLACES: usize = 100_000;
const MOST_COMMENTS: usize = 16 << 20;

/// A game of a file, read whole.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Its tags in the order of the file.
    pub tags: Tags,
    /// The first position.
    pub start: Game,
    /// The moves of the main line.
    pub moves: Vec<Move>,
    /// The winner (`None` for a draw), if the game is finished: by the tag or by the marker at its end.
    pub result: Option<Option<Color>>,
    /// The language of its words, in which its variations are written too.
    pub spelling: Spelling,
    /// Annotations and variations, if the reader keeps them.
    pub remarks: Remarks,
    comments: Comments,
}

impl PgnGame {
    /// All comments of the main line in the order of the file.
    pub fn comments(&self) -> impl Iterator<Item = &[u8]> {
        self.comments.texts(&self.comments.places)
    }

    /// The comments behind so many moves, as text: UTF-8, or else Latin-1.
    pub fn comments_behind(&self, moves: usize) -> impl Iterator<Item = Cow<'_, str>> {
        let places = &self.comments.places;
        let from = places.partition_point(|(behind, _)| *behind < moves);
        let to = places.partition_point(|(behind, _)| *behind <= moves);
        self.comments.texts(&places[from..to]).map(text_of)
    }

    /// The moves, each with the comments behind it.
    pub fn commented_moves(&self) -> impl Iterator<Item = (Move, impl Iterator<Item = &[u8]>)> {
        let places = &self.comments.places;
        let mut from = places.partition_point(|(behind, _)| *behind == 0);
        self.moves.iter().enumerate().map(move |(index, &m)| {
            let rest = &places[from..];
            let count = rest.iter().take_while(|(behind, _)| *behind == index + 1).count();
            from += count;
            (m, self.comments.texts(&rest[..count]))
        })
    }
}

/// Tag pairs in the order of the file: names and values one behind the other, and where they end.
#[derive(Clone, Debug, Default)]
pub struct Tags {
    text: String,
    ends: Vec<(usize, usize)>,
}

impl Tags {
    fn push(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        let end = self.text.len();
        self.text.push_str(value);
        self.ends.push((end, self.text.len()));
    }

    /// True if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(_, end)| *end));
        starts
            .zip(&self.ends)
            .map(|(from, &(middle, end))| (&self.text[from..middle], &self.text[middle..end]))
    }

    /// The value of the first tag of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(tag, _)| *tag == name).map(|(_, value)| value)
    }
}

/// Comments, and the number of moves before each.
#[derive(Clone, Debug, Default)]
struct Comments {
    bytes: Vec<u8>,
    places: Vec<(usize, Range<usize>)>,
}

/// Reads the games of a source, one after the other.
pub struct GameReader<R> {
    lexer: Lexer<R>,
    /// The first token of the next game, if it was read already.
    next: Option<Token>,
    number: u64,
    /// True if the tags of the last game may belong to the moves that follow without any.
    lost_tags: bool,
    /// True if annotations and variations are kept.
    keeps_remarks: bool,
}

impl<R: Read> GameReader<R> {
    /// A reader at the beginning of a source.
    pub fn new(source: R) -> GameReader<R> {
        let lexer = Lexer::new(source);
        GameReader { lexer, next: None, number: 0, lost_tags: false, keeps_remarks: false }
    }

    /// The same reader, which keeps [`PgnGame::remarks`] too.
    #[must_use]
    pub fn keeping_remarks(mut self) -> GameReader<R> {
        self.keeps_remarks = true;
        self
    }

    /// The next game, or the reason why it is left out, with its number; `None` at the end.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn next_game(&mut self) -> io::Result<Option<(u64, Result<PgnGame, LeftOut>)>> {
        loop {
            let mut draft = Draft::new(self.keeps_remarks);
            let more = self.collect(&mut draft)?;
            if !draft.is_empty() {
                self.number += 1;
                let (has_tags, has_moves) = (!draft.tags.is_empty(), draft.has_moves());
                let lost = std::mem::take(&mut self.lost_tags) && !has_tags;
                let game = if lost { Err(LeftOut::cut("the tags")) } else { draft.finish(self.number) };
                // Moves without tags behind tags without moves, or behind what could not be read.
                let goes_on = matches!(self.next, Some(Token::Word { .. }));
                self.lost_tags = goes_on && has_tags && (game.is_err() || !has_moves);
                return Ok(Some((self.number, game)));
            }
            if !more {
                return Ok(None);
            }
        }
    }

    /// Collects the tokens of a game. False at the end of the source.
    fn collect(&mut self, draft: &mut Draft) -> io::Result<bool> {
        loop {
            let token = match self.next.take() {
                Some(token) => token,
                None => self.lexer.next_token(&mut draft.comments.bytes)?,
            };
            match token {
                Token::End => {
                    draft.cut_at_the_end();
                    return Ok(false);
                }
                Token::Tag { after_blank, whole } => {
                    let text = text_of(&self.lexer.name);
                    let name = canonical(&text);
                    if draft.begins_another(name, after_blank) {
                        draft.close();
                        if !after_blank && draft.is_open() {
                            // Tags in the middle of moves: what follows may be the rest of them.
                            draft.fault(|| LeftOut::cut("the moves"));
                        }
                        self.next = Some(token);
                        return Ok(true);
                    }
                    draft.tag((name, after_blank), &text_of(&self.lexer.text), whole);
                }
                Token::Word { .. } if draft.marker.is_some() && draft.variations == 0 => {
                    if draft.begins_behind_the_marker(&text_of(&self.lexer.text)) {
                        self.next = Some(token);
                        return Ok(true);
                    }
                }
                Token::Word { last } if draft.variations == 0 => draft.words_of(&self.lexer.text, last),
                Token::Comment => draft.comment(),
                Token::Word { .. } | Token::Nag if draft.variations > 0 => {
                    draft.in_variation(token, &self.lexer.text);
                }
                Token::OpenComment => {
                    // The end of the source, or the tags of the next game.
                    draft.fault(|| LeftOut::cut("a comment"));
                    return Ok(true);
                }
                Token::Open => draft.open_variation(),
                Token::Close if draft.variations > 0 => draft.close_variation(),
                Token::Close if draft.is_open() => draft.fault(|| LeftOut::word(")")),
                Token::Nag => draft.nag(&self.lexer.text),
                Token::Close | Token::Word { .. } => {}
            }
        }
    }
}

/// The name of a tag that decides what is read, however its letters are written.
fn canonical(name: &str) -> &str {
    let known = ["FEN", "Variant", "Result", "SetUp", "Event", "PlyCount"];
    known.into_iter().find(|known| known.eq_ignore_ascii_case(name)).unwrap_or(name)
}

/// Bytes as text: UTF-8, or else Latin-1.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

impl Comments {
    /// The texts at some of the places.
    fn texts<'a>(&'a self, places: &'a [(usize, Range<usize>)]) -> impl Iterator<Item = &'a [u8]> {
        places.iter().map(|(_, place)| &self.bytes[place.clone()])
    }
}

/// A game that is being collected.
#[derive(Default)]
struct Draft {
    tags: Tags,
    /// The words that have to be moves, one behind the other, and where each ends.
    words: String,
    ends: Vec<usize>,
    /// Numbers, and the number of words before each.
    numbers: Vec<(usize, u32)>,
    comments: Comments,
    /// The marker at the end.
    marker: Option<String>,
    /// Variations that are open.
    variations: usize,
    /// Annotations and variations, if they are kept, and the variation that is open.
    remarks: Remarks,
    variation: OpenVariation,
    keeps_remarks: bool,
    /// True if the last word was a move or a mark: then a mark may follow.
    after_move: bool,
    /// True if the source ends with the last byte of the last word.
    torn: bool,
    /// A number that may be the first half of a result with blanks: `1 - 0`.
    half: Half,
    /// The first reason to leave it out.
    fault: Option<LeftOut>,
}

/// State of a result with blanks: the part of it that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Half {
    #[default]
    None,
    /// Its first number.
    Number(u32),
    /// Its first number and the hyphen.
    Hyphen(u32),
}

impl Draft {
    /// An empty draft, with room for the words and the comments of most games.
    fn new(keeps_remarks: bool) -> Draft {
        let comments = Comments { bytes: Vec::with_capacity(1 << 13), places: Vec::with_capacity(256) };
        let (words, ends) = (String::with_capacity(1 << 10), Vec::with_capacity(256));
        Draft { words, ends, comments, keeps_remarks, ..Draft::default() }
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && !self.has_moves() && self.fault.is_none()
    }

    fn has_moves(&self) -> bool {
        !self.ends.is_empty() || !self.numbers.is_empty()
    }

    fn fault(&mut self, why: impl FnOnce() -> LeftOut) {
        self.fault.get_or_insert_with(why);
    }

    /// True if a tag belongs to the next game: it stands behind the marker, or is a second one of its name; a
    /// tag `Event` begins a game behind moves too. Any other tag behind moves is a sign that they were none.
    fn begins_another(&self, name: &str, after_blank: bool) -> bool {
        let known = self.tags.get(name).is_some();
        match name {
            _ if self.marker.is_some() => !self.is_empty(),
            "Event" => known || self.has_moves(),
            _ => known && (after_blank || self.has_moves()),
        }
    }

    fn tag(&mut self, (name, after_blank): (&str, bool), value: &str, whole: bool) {
        if self.is_empty() {
            // A parenthesis between two games opens nothing, and a marker ends nothing.
            (self.variations, self.marker) = (0, None);
            let _ = self.variation.take();
        }
        if name.is_empty() {
            self.fault(|| LeftOut::Tag("a tag has no name".to_owned()));
            return;
        }
        let decides = ["FEN", "Result", "Variant"].contains(&name);
        if decides && !whole {
            self.fault(|| LeftOut::Tag(format!("the tag {name} is damaged")));
        }
        if self.has_moves() || (name == "Event" && after_blank && !self.tags.is_empty()) {
            self.fault(|| LeftOut::Tag(format!("the tag {name} stands apart from the others")));
        }
        if decides && self.tags.get(name).is_some_and(|other| other != value) {
            self.fault(|| LeftOut::Tag(format!("two tags {name}")));
        }
        if self.tags.ends.len() < MOST_TAGS {
            self.tags.push(name, value);
        } else {
            self.fault(|| LeftOut::TooLong);
        }
    }

    /// Takes in the comment at the end of the bytes.
    fn comment(&mut self) {
        let Comments { bytes, places } = &mut self.comments;
        let from = places.last().map_or(0, |(_, place)| place.end);
        if self.keeps_remarks && self.variations > 0 {
            self.variation.comment(&text_of(&bytes[from..]));
        }
        let is_kept = self.variations == 0 && bytes.len() <= MOST_COMMENTS;
        if is_kept && places.len() < MOST_PLACES {
            places.push((self.ends.len(), from..bytes.len()));
        } else {
            bytes.truncate(from);
            if is_kept {
                self.fault(|| LeftOut::TooLong);
            }
        }
    }

    /// Takes in an annotation of the main line.
    fn nag(&mut self, digits: &[u8]) {
        if self.keeps_remarks
            && self.marker.is_none()
            && let Some(number) = plain_number(digits).and_then(|number| u8::try_from(number).ok())
        {
            self.remarks.nag(self.ends.len(), number);
        }
    }

    fn open_variation(&mut self) {
        self.variations += 1;
        if self.keeps_remarks {
            self.variation.push("(");
        }
    }

    fn close_variation(&mut self) {
        self.variations -= 1;
        if self.keeps_remarks {
            self.variation.push(")");
            if self.variations == 0 {
                let moves = self.ends.len();
                self.variation.take().into_iter().for_each(|text| self.remarks.variation(moves, text));
            }
        }
    }

    /// Takes in a word or an annotation of a variation.
    fn in_variation(&mut self, token: Token, bytes: &[u8]) {
        if self.keeps_remarks && !bytes.is_empty() && bytes != b"}" {
            let nag = if token == Token::Nag { "$" } else { "" };
            self.variation.push(&format!("{nag}{}", text_of(bytes)));
        }
    }

    /// Takes in a token of the movetext.
    fn words_of(&mut self, bytes: &[u8], last: bool) {
        self.torn = last;
        if let Some(number) = plain_number(bytes) {
            self.number(number);
            return;
        }
        let text = text_of(bytes);
        if text.is_ascii() {
            self.word(&text);
            return;
        }
        let is_invisible = |letter: char| matches!(letter, '\u{200b}'..='\u{200f}' | '\u{feff}');
        for word in text.replace(is_invisible, "").split_whitespace() {
            self.word(word);
        }
    }

    /// Takes in the number of a move, or of a result with blanks.
    fn number(&mut self, number: u32) {
        let result = match self.half {
            Half::Hyphen(first) => marker(&format!("{first}-{number}")),
            _ => None,
        };
        if let Some(marker) = result {
            self.numbers.pop();
            return self.end(marker);
        }
        self.half = Half::Number(number);
        if self.numbers.len() < MOST_NUMBERS {
            self.numbers.push((self.ends.len(), number));
        } else {
            self.fault(|| LeftOut::TooLong);
        }
        self.after_move = false;
    }

    fn end(&mut self, marker: &str) {
        self.close();
        (self.marker, self.variations) = (Some(marker.to_owned()), 0);
    }

    /// Takes in a word behind the marker. True if it is the first of the next game, which has no tags. Words
    /// that are neither moves nor results are remarks.
    fn begins_behind_the_marker(&mut self, text: &str) -> bool {
        if let Some(marker) = marker(text) {
            if self.marker.as_deref() != Some(marker) && !self.is_empty() {
                self.fault(|| LeftOut::Result("two of them behind the moves".to_owned()));
            }
            return false;
        }
        let (number, rest) = split_number(text);
        let is_move = rest.as_bytes().windows(2).any(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']));
        let is_next = number == Some(1) || (is_move && self.tags.is_empty() && self.numbers.is_empty());
        if !is_next && (number.is_some() || is_move) && !self.is_empty() {
            self.fault(|| LeftOut::Word(format!("'{}' stands behind the result", shown(text))));
        }
        is_next || (self.is_empty() && is_move)
    }

    /// Takes in a word.
    fn word(&mut self, word: &str) {
        if let Some(marker) = marker(word) {
            return self.end(marker);
        }
        if let (Half::Number(first), "-" | ":" | "–") = (self.half, word) {
            self.half = Half::Hyphen(first);
            return;
        }
        if let Half::Hyphen(_) = self.half {
            self.fault(|| LeftOut::word("-"));
        }
        self.half = Half::None;
        let (number, rest) = split_number(word);
        if let Some(number) = number {
            self.number(number);
            self.half = Half::None;
        }
        if rest.is_empty() {
            return;
        }
        if self.ends.len() >= MOST_WORDS || self.words.len() + rest.len() > MOST_WORD_BYTES {
            return self.fault(|| LeftOut::TooLong);
        }
        // Nearly every move has a digit, and no mark has one.
        let may_be_mark = self.after_move && !rest.bytes().any(|byte| byte.is_ascii_digit()) && rest != "--";
        if may_be_mark && (san::is_mark(rest) || san::is_promotion(rest)) {
            // Behind its move: `exd6 e.p.` is read as `exd6e.p.`.
            self.words.push_str(rest);
            if let Some(end) = self.ends.last_mut() {
                *end = self.words.len();
            }
            return;
        }
        self.words.push_str(rest);
        self.ends.push(self.words.len());
        self.after_move = true;
    }

    /// True if no marker ends the moves: some may be missing.
    fn is_open(&self) -> bool {
        self.marker.is_none() && self.has_moves()
    }

    /// Ends the game where another begins, at the end of the source, or behind its marker.
    fn close(&mut self) {
        if self.marker.is_none() && self.variations > 0 {
            self.fault(|| LeftOut::cut("a variation"));
        }
    }

    /// Ends a game without a marker: its last number needs a move, and there are as many moves as a tag says.
    fn check_end(&mut self) {
        let number_last = self.numbers.last().is_some_and(|(words, _)| *words == self.ends.len());
        let told = self.value("PlyCount").and_then(|count| count.parse::<usize>().ok());
        let fewer = told.is_some_and(|plies| plies > self.ends.len());
        if self.is_open() && (number_last || fewer) {
            self.fault(|| LeftOut::cut("the moves"));
        }
    }

    /// `0-0` at the end is castling, or a result where the tag says that both players lost.
    fn end_by_the_tag(&mut self) {
        let both_lost = self.marker.is_none() && self.value("Result").is_some_and(is_both_lost);
        if both_lost && self.words().last().is_some_and(is_both_lost) {
            self.ends.pop();
            self.words.truncate(self.ends.last().copied().unwrap_or(0));
            self.marker = Some("*".to_owned());
        }
    }

    /// Ends the game at the end of the source: without a marker, its last word may be half a move.
    fn cut_at_the_end(&mut self) {
        self.close();
        self.end_by_the_tag();
        if self.is_open() && self.torn {
            self.fault(|| LeftOut::cut("the moves"));
        }
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(from, &to)| &self.words[from..to])
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(str::trim)
    }

    /// The game, or the reason to leave it out.
    fn finish(mut self, number: u64) -> Result<PgnGame, LeftOut> {
        self.end_by_the_tag();
        self.check_end();
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        if self.value("FEN").is_none() && self.value("SetUp") == Some("1") {
            return Err(LeftOut::Tag("there is a tag SetUp, and none FEN".to_owned()));
        }
        if let Some(variant) = self.value("Variant").filter(|variant| !is_chess(variant)) {
            return Err(LeftOut::Variant(variant.to_owned()));
        }
        let start = match self.value("FEN") {
            Some(fen) => Game::parse_fen(fen).map_err(|error| LeftOut::Position(error.to_string()))?,
            None => Game::new(),
        };
        self.check_numbers(&start)?;
        let mut remarks = std::mem::take(&mut self.remarks);
        let words: Vec<&str> = self.words().collect();
        let Replayed { moves, last, spelling, .. } =
            replay_in_its_language(start.position().chess(), &words)?;
        self.check_positions(&start, &last)?;
        let result = self.result(&last)?;
        if self.keeps_remarks {
            words.iter().zip(1..).for_each(|(word, moves)| remarks.marks(moves, word));
        }
        let Draft { tags, comments, .. } = self;
        Ok(PgnGame { number, tags, start, moves, result, spelling, remarks, comments })
    }

    /// A position that another tag than `FEN` tells is the last one of the game (`CurrentPosition` of
    /// chess.com) or the first; else the game may have begun there.
    fn check_positions(&self, start: &Game, last: &Chess) -> Result<(), LeftOut> {
        const RANK_ENDS: usize = 7;
        let known = [start.position().chess(), last];
        let positions = self.tags.iter().filter(|(_, value)| value.matches('/').count() == RANK_ENDS);
        for (name, value) in positions.filter(|_| self.value("FEN").is_none()) {
            // Addresses of other sites have as many slashes.
            let Ok(told) = Game::parse_fen(value.trim()) else { continue };
            let told = told.position().chess();
            if known.iter().all(|known| (known.board(), known.turn()) != (told.board(), told.turn())) {
                return Err(LeftOut::Tag(format!("the tag {} holds another position", shown(name))));
            }
        }
        Ok(())
    }

    /// Moves that are missing show in the numbers. A game from a position may begin with any number.
    fn check_numbers(&self, start: &Game) -> Result<(), LeftOut> {
        let black_begins = usize::from(start.position().turn().is_black());
        let expected = |words: usize| (words + black_begins) / 2;
        let Some(&(words, first)) = self.numbers.first() else { return Ok(()) };
        let from_a_position = self.value("FEN").is_some();
        let offset = if from_a_position { i64::from(first) - expected(words) as i64 } else { 1 };
        let wrong = self
            .numbers
            .iter()
            .find(|(words, number)| expected(*words) as i64 + offset != i64::from(*number));
        match wrong {
            None => Ok(()),
            Some((words, number)) => Err(LeftOut::Number { number: *number, moves: *words }),
        }
    }

    /// The result, on which tag, marker and board agree.
    fn result(&self, last: &Chess) -> Result<Option<Option<Color>>, LeftOut> {
        let contradiction = |what: String| Err(LeftOut::Result(what));
        // A star in the tag says that the result was not known when it was written.
        let tag = self.value("Result").map(|value| value.split_whitespace().collect::<String>());
        let tag = tag.filter(|value| !["", "?", "-", "*"].contains(&value.as_str()));
        let read = |value: &str| if is_both_lost(value) { Some("*") } else { marker(value) };
        let by_tag = tag.as_deref().map(|value| read(value).map(winner));
        let by_tag = match by_tag {
            Some(None) => return contradiction(format!("[Result \"{}\"]", shown(&tag.unwrap_or_default()))),
            Some(Some(result)) => Some(result),
            None => None,
        };
        let by_marker = self.marker.as_deref().map(winner);
        let said = match (by_tag, by_marker) {
            (Some(tag), Some(marker)) if tag != marker => {
                let [tag, marker] = [tag, marker].map(|result| result.map_or("*", super::result));
                return contradiction(format!("{tag} by the tag, {marker} behind the moves"));
            }
            (tag, marker) => tag.or(marker).flatten(),
        };
        let Some(board) = end_by_the_board(last) else { return Ok(said) };
        match said {
            Some(said) if said != board => {
                let [said, board] = [said, board].map(super::result);
                contradiction(format!("{said}, and {board} by the last position"))
            }
            // An ended game is finished, whatever its marker says.
            _ => Ok(Some(board)),
        }
    }
}

/// The result that the rules give to a position: mate, stalemate, or no mate by any series of moves.
fn end_by_the_board(last: &Chess) -> Option<Option<Color>> {
    if last.is_checkmate() {
        Some(Some(!last.turn()))
    } else if last.is_stalemate() || last.is_insufficient_material() {
        Some(None)
    } else {
        None
    }
}

/// Variants whose games are games of chess, as programs name them.
fn is_chess(variant: &str) -> bool {
    let plain: String = variant.chars().filter(char::is_ascii_alphanumeric).collect();
    let names = [
        "",
        "standard",
        "standardchess",
        "fromposition",
        "chess",
        "normal",
        "orthodox",
        "regular",
        "chess960",
        "fischerandom",
        "fischerrandom",
        "fischerrandomchess",
        "frc",
        "freestyle",
        "freestylechess",
    ];
    names.contains(&plain.to_ascii_lowercase().as_str())
}

/// The longest marker in bytes, with dashes of three.
const MOST_MARKER: usize = 12;

/// The marker that a word means, as PGN writes it.
fn marker(word: &str) -> Option<&'static str> {
    // Nearly every other word is told apart by its first two bytes.
    let may_be_one = match *word.as_bytes() {
        [b'*'] => true,
        [b'0' | b'1', second, ..] => !second.is_ascii_digit() && (second != b'.' || word.len() > 3),
        [first, ..] => !first.is_ascii(),
        [] => false,
    };
    if !may_be_one || word.len() > MOST_MARKER {
        return None;
    }
    let plain = word.trim_end_matches('.').replace(is_dash, "-");
    match plain.as_str() {
        "1-0" | "1:0" => Some("1-0"),
        "0-1" | "0:1" => Some("0-1"),
        "1/2-1/2" | "1/2" | "½-½" | "½" | "½:½" | "1/2:1/2" | "0.5-0.5" => Some("1/2-1/2"),
        "*" => Some("*"),
        _ => None,
    }
}

/// The number of a move alone, as in `12.` or `12...`: every other word of most files.
fn plain_number(bytes: &[u8]) -> Option<u32> {
    const MOST_DIGITS: usize = 6;
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    // `00` is castling.
    let is_castling = digits > 1 && bytes[0] == b'0';
    let is_number = (1..=MOST_DIGITS).contains(&digits) && bytes[digits..].iter().all(|byte| *byte == b'.');
    let is_number = is_number && !is_castling;
    is_number.then(|| bytes[..digits].iter().fold(0, |number, digit| 10 * number + u32::from(digit - b'0')))
}

/// The number of a move at the beginning of a word, and what follows it: `12.`, `12...`, `12.e4`, `12e4`,
/// `...e5`.
fn split_number(word: &str) -> (Option<u32>, &str) {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 && !word.starts_with(['.', '…']) {
        return (None, word);
    }
    let rest = word[digits..].trim_start_matches(['.', '…']);
    if digits > 0 && rest == "--" {
        return (word[..digits].parse().ok(), rest);
    }
    let dotted = rest.len() < word.len() - digits;
    // `0-0` is no number.
    let is_number = dotted || rest.is_empty() || rest.starts_with(char::is_alphabetic);
    let is_number = is_number && !(digits > 1 && word.starts_with('0'));
    match word[..digits].parse() {
        Ok(number) if is_number => {
            (Some(number), rest.trim_start_matches([')', '-']).trim_start_matches(' '))
        }
        _ if digits == 0 => (None, rest),
        _ => (None, word),
    }
}

#[cfg(test)]
mod tests;
