//! Weights as a type parameter of the evaluation: those in use, or others for tuning.
//!
//! With [`InUse`] the compiler knows every weight and the evaluation is as fast as with constants; with
//! `&Weights` the same code is a function of its weights, which Texel tuning needs.

use crate::eval::psqt;
use crate::eval::tapered::S;
use crate::eval::weights::{W, Weights};
use shakmaty::Square;
use std::ops::Deref;

/// Source of the weights: [`InUse`], which the compiler knows in full, or a reference to others.
pub(super) trait WeightSource: Copy + Deref<Target = Weights> {
    /// Material and piece-square value of a piece.
    fn piece_square(self, role: usize, square: Square) -> S;
}

/// The weights in use, [`W`].
#[derive(Clone, Copy, Debug)]
pub(super) struct InUse;

impl Deref for InUse {
    type Target = Weights;

    #[inline(always)]
    fn deref(&self) -> &Weights {
        &W
    }
}

impl WeightSource for InUse {
    #[inline(always)]
    fn piece_square(self, role: usize, square: Square) -> S {
        psqt::in_use(role, square)
    }
}

impl WeightSource for &Weights {
    fn piece_square(self, role: usize, square: Square) -> S {
        psqt::piece_square(self, role, square.to_usize())
    }
}
