//! Properties: random inputs of a known form, and what has to come of them.

mod decode;
mod paging;
mod patch;
