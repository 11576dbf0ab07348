//! Prepares the window: capabilities, icons and the web assets' place.

fn main() {
    let attributes = tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/app/capabilities/**/*");
    if let Err(error) = tauri_build::try_build(attributes) {
        panic!("failed to prepare the window: {error:#}");
    }
}
