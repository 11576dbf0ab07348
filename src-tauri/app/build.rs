//! Prepares the window: permissions, capabilities, icons and the web assets' place.

fn main() {
    println!("cargo:rerun-if-changed=src-tauri/app/permissions");
    // With permissions of its own, no command of the window can be called that is not granted.
    let manifest = tauri_build::AppManifest::new()
        .permissions_path_pattern("./src-tauri/app/permissions/**/*");
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("./src-tauri/app/capabilities/**/*")
        .app_manifest(manifest);
    if let Err(error) = tauri_build::try_build(attributes) {
        panic!("failed to prepare the window: {error:#}");
    }
}
