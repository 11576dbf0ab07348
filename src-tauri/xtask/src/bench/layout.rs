//! How long the automatic layout of a plan takes, and how many edges cross in it.

use anyhow::Result;

use crate::cargo;
use crate::place::Place;
use crate::process;
use crate::stage::Stages;

pub(crate) fn measure(place: &Place, stages: &Stages) -> Result<()> {
    stages.begin("building the bench of the layout");
    let arguments = [
        "build",
        "--release",
        "-p",
        "baton-formats",
        "--example",
        "layout_speed",
    ];
    process::run(&mut cargo::cargo(place, &arguments))?;
    stages.begin("laying plans out");
    let program = place.programs(true).join("examples/layout_speed");
    for line in process::read(&mut process::command(
        &place.own(),
        program,
        &["100", "1000", "10000"],
    ))?
    .lines()
    {
        println!("  {line}");
    }
    Ok(())
}
