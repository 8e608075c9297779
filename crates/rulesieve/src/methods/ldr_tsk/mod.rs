//! `ldr-tsk`: the paper's method (Liu, Cai and Li, IEEE Transactions on Fuzzy Systems 33, 2025).
//!
//! Minimises, over a low-dimensional representation X_hat, firing strengths F, consequents (P, p0) and a projection Q,
//!
//! `J = sum_i r_i^2 + gamma |P|_F^2 + alpha |X Q - X_hat|_F^2 + beta |Q|_2,1`, `F > 0`, `Q^T Q = I`,
//! `r_i = <f_i, x_hat_i P + p0> - y_i`,
//!
//! and ranks the columns of X by the row lengths of Q. X is n x m, min-max scaled.
//!
//! | where | what |
//! |---|---|
//! | `params` | every parameter with default, range and purpose |
//! | `objective` | J by term (Eq. "obj") |
//! | `gradient` | derivatives of J and of the barrier |
//! | `model` | rule outputs and residuals (Eq. "obj2") |
//! | `projection` | Algorithm 1: the Q step, fast on both sides of n = m |
//! | `fit` | Algorithm 2: the loop |
//! | `state` | the variables and their seeded start |
//!
//! Cost of an iteration: O(n^2 (m + d)) for n < m, O(m^2 (m + d) + n m d) otherwise.
//! The constraint on Q is only approached (Lambda is diagonal and takes one small step): the distance is reported.

pub mod fit;
mod gradient;
mod model;
pub mod objective;
pub mod params;
pub mod projection;
pub mod state;
