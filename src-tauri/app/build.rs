//! Prepares the window: permissions, capabilities, icons and the path of the web assets.

fn main() {
    println!("cargo:rerun-if-changed=src-tauri/app/permissions");
    // With its own permission for each command, the page can only call those that are granted.
    let manifest = tauri_build::AppManifest::new()
        .permissions_path_pattern("./src-tauri/app/permissions/**/*");
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("./src-tauri/app/capabilities/**/*")
        .app_manifest(manifest);
    if let Err(error) = tauri_build::try_build(attributes) {
        panic!("couldn't prepare the window: {error:#}");
    }
}
