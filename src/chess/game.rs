//! A game so far: the position, the keys that led to it (for repetitions), and how castling is written.
