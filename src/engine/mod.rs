//! One search after another: session, options, clock.
