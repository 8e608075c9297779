//! The methods.
pub mod ldr_tsk;
pub mod settings;

/// A fit that could not be carried through.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// A parameter that the data at hand do not allow.
    #[error(transparent)]
    Param(#[from] settings::ParamError),
    /// A factorisation failed.
    #[error("{0}")]
    Linalg(crate::linalg::LinalgError),
    /// The objective left the numbers or grew without end.
    #[error("the fit diverged: the objective is {objective:e} after iteration {iteration}; lower the learning rates")]
    Diverged {
        /// The iteration.
        iteration: usize,
        /// The objective then.
        objective: f64,
    },
}
