//! Tests pictures of plans with the real shell.

use std::fs;
use std::process::Stdio;

use baton_api::wire::*;
use baton_tests::{Shell, TestEnvironment};
use resvg::tiny_skia::Pixmap;

const PLAN: &str = "baton: 1\ntitle: Release\ncwd: .\nnodes:\n  \
    - {id: build, title: Build the release, kind: command, command: 'true'}\n  \
    - {id: test, title: Test it, kind: command, command: 'true', dependsOn: [build]}\n";

/// How many pixels have this color.
fn pixels_of(picture: &Pixmap, color: [u8; 3]) -> usize {
    let rgb =
        |pixel: &resvg::tiny_skia::PremultipliedColorU8| [pixel.red(), pixel.green(), pixel.blue()];
    let pixels = picture.pixels().iter();
    pixels.filter(|pixel| rgb(pixel) == color).count()
}

fn attribute(svg: &str, name: &str) -> f64 {
    let start = svg.find(&format!(" {name}=\"")).expect("an attribute") + name.len() + 3;
    let end = start + svg[start..].find('"').expect("its end");
    svg[start..end].parse().expect("a number")
}

#[test]
fn shell_draws_a_plan_with_its_states() {
    let env = TestEnvironment::new();
    let run = env.start(PLAN);
    let view = env.finish(run.summary.id);
    let plan = view.plan.id.to_string();
    let shell = Shell::new(&env);
    let folder = env.work_dir.path();
    let path = |name: &str| folder.join(name).display().to_string();
    let done = shell.run(&[
        "plan",
        "export",
        &plan,
        "--format",
        "png",
        "--states",
        "-o",
        &path("a.png"),
    ]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let svg = shell.run(&["plan", "export", &plan, "--format", "svg", "--states"]);
    let picture = Pixmap::decode_png(&fs::read(path("a.png")).expect("a file")).expect("a picture");
    let pixels = |name: &str| (attribute(&svg.out, name) * 2.0).round() as u32;
    assert_eq!(
        (picture.width(), picture.height()),
        (pixels("width"), pixels("height"))
    );
    let canvas = pixels_of(&picture, [0xf4, 0xf5, 0xf8]);
    assert!(canvas > 10_000, "the canvas: {canvas}");
    assert!(pixels_of(&picture, [0xff, 0xff, 0xff]) > 1_000, "the cards");
    assert!(
        pixels_of(&picture, [0x17, 0x70, 0x3a]) > 20,
        "marks of nodes that are done"
    );
    assert!(pixels_of(&picture, [0x16, 0x18, 0x1d]) > 200, "titles");

    let dark = shell.run(&["plan", "export", &plan, "-o", &path("b.png"), "--dark"]);
    assert_eq!(dark.code, Some(0), "the extension is enough: {}", dark.err);
    let dark = Pixmap::decode_png(&fs::read(path("b.png")).expect("a file")).expect("a picture");
    assert!(
        pixels_of(&dark, [0x0e, 0x10, 0x14]) > 10_000,
        "a dark canvas"
    );
    let refused = shell.run(&["plan", "export", &plan, "-o", &path("c.jpg")]);
    assert_ne!(refused.code, Some(0));
    assert!(refused.err.contains("--format png"), "{}", refused.err);
}

#[test]
fn picture_goes_to_a_pipe_as_it_is() {
    let env = TestEnvironment::new();
    let plan = env.import(PLAN).plan.id.to_string();
    let shell = Shell::new(&env);
    let mut command = shell.baton(&["plan", "export", &plan, "--format", "png"]);
    let output = command
        .stdin(Stdio::null())
        .output()
        .expect("the shell runs");
    assert!(output.status.success());
    assert!(
        Pixmap::decode_png(&output.stdout).is_ok(),
        "nothing but the picture"
    );
    let json = shell.run(&["--json", "plan", "export", &plan, "--format", "png"]);
    let file: FileBytes = serde_json::from_str(&json.out).expect("a line of JSON");
    assert_eq!(file.file_name, "release.png");
}
