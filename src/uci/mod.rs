//! The front end: UCI.
