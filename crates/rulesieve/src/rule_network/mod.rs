//! The rule network: fuzzy rules on columns or on their projection, its derivatives and its training. The search of
//! `ldr-tsk-inductive` trains it to rank features, `model::fit` trains it to predict.
//!
//! For a sample x, centred and scaled, with d dimensions, centres c and spreads s:
//!
//! `h = x Q` (or x itself), `z_r = -(1 / 2d) sum_j (h_j - c_rj)^2 / s_rj^2`, `f = softmax(z)`,
//! `logit = sum_r f_r (h P_r + p0_r)`, `J = loss(logit, y) + gamma |P|^2 + beta sqrt(d) |Q|_2,1`.
//!
//! | module | content |
//! |---|---|
//! | `network` | Q, centres, spreads and consequents |
//! | `pass` | outputs and derivatives for a batch |
//! | `loss` | cross-entropy, squared loss |
//! | `samples` | scaling, validation rows, mini-batches |
//! | `centres` | initial centres by clustering |
//! | `restart` | one restart of the training: Adam, early stopping |
//! | `sparsity` | the proximal step on Q |
//! | `anchor` | penalty on the distance of rules from their initial values |
//! | `feed` | sources of mini-batches |
//! | `predictions` | predictions and their accuracy |

pub(crate) mod anchor;
pub(crate) mod centres;
pub(crate) mod feed;
pub(crate) mod loss;
pub(crate) mod network;
pub(crate) mod pass;
pub(crate) mod predictions;
pub(crate) mod restart;
pub(crate) mod samples;
pub(crate) mod sparsity;

#[cfg(test)]
pub(crate) mod tests;
