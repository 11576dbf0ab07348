//! The window's first paint beside that of an empty one.

use anyhow::{Result, bail};

use crate::place::Place;
use crate::stage::Stages;

pub(crate) fn measure(_place: &Place, _stages: &Stages) -> Result<()> {
    bail!("the window is not measured yet")
}
