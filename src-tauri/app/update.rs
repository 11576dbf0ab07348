//! Updates of Baton itself: their source, checking for them and installing them.
//!
//! A release is built with the URL of its updates and the public key that signs them
//! (`BATON_UPDATE_URL` and `BATON_UPDATE_KEY` at compile time); other builds offer no updates. The
//! page can't choose either. Each update is verified against the key and against the version it was
//! signed for.

use std::env;
use std::path::Path;
use std::sync::Mutex;

use baton_api::{ApiError, Code};
use serde::Serialize;
use tauri::{AppHandle, Manager as _, State};
use tauri_plugin_updater::{Error as UpdaterError, Update, UpdaterExt as _};
use url::Url;

const URL: Option<&str> = option_env!("BATON_UPDATE_URL");
const KEY: Option<&str> = option_env!("BATON_UPDATE_KEY");

/// The update found by the last check, until it is installed.
#[derive(Default)]
pub(crate) struct OfferedUpdate(Mutex<Option<Update>>);

/// Where this copy of Baton gets its updates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum UpdateSource {
    /// From the project's releases, through this window.
    Releases,
    /// From the package manager that installed it.
    PackageManager,
    /// Built without a URL for updates.
    None,
}

/// An update, as the page shows it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AvailableUpdate {
    /// The new version, such as `1.4.0`.
    version: String,
    /// The version that is running.
    current_version: String,
    /// The release notes, as Markdown.
    notes: Option<String>,
}

/// Returns where updates come from: the page offers none if it can't install them.
#[tauri::command]
pub(crate) fn update_source(app: AppHandle) -> UpdateSource {
    source(&app)
}

/// Checks for a newer version. Returns `None` if there is none.
#[tauri::command]
pub(crate) async fn check_for_update(
    app: AppHandle,
    offered: State<'_, OfferedUpdate>,
) -> Result<Option<AvailableUpdate>, ApiError> {
    let (Some(address), Some(key), UpdateSource::Releases) = (address(), key(), source(&app))
    else {
        return Ok(None);
    };
    let updater = app
        .updater_builder()
        .pubkey(key)
        .endpoints(vec![address])
        .and_then(tauri_plugin_updater::UpdaterBuilder::build)
        .map_err(|error| check_failed(&error))?;
    let found = updater
        .check()
        .await
        .map_err(|error| check_failed(&error))?;
    let shown = found.as_ref().map(|update| AvailableUpdate {
        version: update.version.clone(),
        current_version: update.current_version.clone(),
        notes: update.body.clone(),
    });
    *lock(&offered) = found;
    Ok(shown)
}

/// Installs the update found by the last check. The running version keeps running until Baton
/// restarts.
#[tauri::command]
pub(crate) async fn install_update(offered: State<'_, OfferedUpdate>) -> Result<(), ApiError> {
    let update = lock(&offered).clone().ok_or_else(|| {
        ApiError::new(Code::NotFound, "no update to install").with_fix("check for updates")
    })?;
    update
        .download_and_install(|_, _| {}, || {})
        .await
        .map_err(|error| install_failed(&error))?;
    *lock(&offered) = None;
    Ok(())
}

/// Restarts Baton in the new version. Sessions keep running, and the next start finds them.
#[tauri::command]
pub(crate) fn restart_after_update(app: AppHandle) {
    app.request_restart();
}

fn lock<'a>(offered: &'a State<'_, OfferedUpdate>) -> std::sync::MutexGuard<'a, Option<Update>> {
    offered
        .0
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn source(app: &AppHandle) -> UpdateSource {
    if address().is_none() || key().is_none() {
        return UpdateSource::None;
    }
    let program = env::current_exe().unwrap_or_default();
    if replaces_itself(&program, app.env().appimage.is_some()) {
        UpdateSource::Releases
    } else {
        UpdateSource::PackageManager
    }
}

/// Returns whether this copy of the program may replace itself. On Linux that is only an AppImage;
/// deb, rpm and others have a package manager. On macOS and Windows, Homebrew, Nix, Scoop and
/// Chocolatey manage programs in their own folders.
fn replaces_itself(program: &Path, is_app_image: bool) -> bool {
    if cfg!(target_os = "linux") {
        return is_app_image;
    }
    let managed = ["caskroom", "cellar", "nix", "scoop", "chocolatey"];
    !program.components().any(|part| {
        let name = part.as_os_str().to_string_lossy().to_lowercase();
        managed.contains(&name.as_str())
    })
}

fn address() -> Option<Url> {
    set_at_build_time("BATON_UPDATE_URL", URL).and_then(|address| address.parse().ok())
}

fn key() -> Option<String> {
    set_at_build_time("BATON_UPDATE_KEY", KEY)
}

/// Returns a value set at build time. Only debug builds, which tests start, also read the
/// environment: the value decides which programs are trusted.
fn set_at_build_time(name: &str, built_in: Option<&str>) -> Option<String> {
    let named = cfg!(debug_assertions)
        .then(|| env::var(name).ok())
        .flatten();
    let value = named.or_else(|| built_in.map(str::to_owned));
    value.filter(|value| !value.is_empty())
}

fn check_failed(error: &UpdaterError) -> ApiError {
    tracing::warn!(%error, "couldn't check for updates");
    let message = format!("couldn't check for updates: {error}");
    ApiError::new(Code::Unavailable, message).with_fix("check your network, then try again")
}

fn install_failed(error: &UpdaterError) -> ApiError {
    tracing::warn!(%error, "couldn't install the update");
    match error {
        UpdaterError::Minisign(_)
        | UpdaterError::Base64(_)
        | UpdaterError::SignatureUtf8(_)
        | UpdaterError::SignedVersionMismatch { .. }
        | UpdaterError::MissingSignedVersion => ApiError::new(
            Code::Refused,
            "the update's signature doesn't match, so it wasn't installed",
        )
        .with_fix("download it from the project's release page, and report this"),
        error => {
            let message = format!("couldn't install the update: {error}. Nothing was changed");
            ApiError::new(Code::Unavailable, message).with_fix("try again")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn only_app_images_replace_themselves_on_linux() {
        assert!(replaces_itself(
            Path::new("/tmp/.mount_Baton/usr/bin/baton-desktop"),
            true
        ));
        assert!(!replaces_itself(Path::new("/usr/bin/baton-desktop"), false));
    }

    #[test]
    fn build_without_address_has_no_source() {
        assert_eq!(set_at_build_time("BATON_NO_SUCH_VARIABLE", None), None);
        assert_eq!(set_at_build_time("BATON_NO_SUCH_VARIABLE", Some("")), None);
        let built_in = set_at_build_time("BATON_NO_SUCH_VARIABLE", Some("key"));
        assert_eq!(built_in.as_deref(), Some("key"));
    }

    #[test]
    fn wrong_signature_is_a_refusal_and_a_lost_connection_is_not() {
        let unsigned = install_failed(&UpdaterError::MissingSignedVersion);
        assert_eq!(unsigned.code, Code::Refused);
        let lost = install_failed(&UpdaterError::Network("404".to_owned()));
        assert_eq!(lost.code, Code::Unavailable);
    }
}
