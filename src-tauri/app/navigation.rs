//! Restricts the window to the interface. Other links open in the default browser.

use baton_api::umask;
use tauri::webview::NewWindowResponse;
use tauri::{AppHandle, Url, WebviewWindowBuilder};

/// How the window treats a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NavigationTarget {
    Interface,
    /// A web page or a mail address, which opens in the default program.
    External,
    /// Everything else: files, scripts, other schemes.
    Blocked,
}

impl NavigationTarget {
    fn from_url(url: &Url) -> Self {
        match (url.scheme(), url.host_str()) {
            ("tauri", Some("localhost")) | ("http" | "https", Some("tauri.localhost")) => {
                Self::Interface
            }
            ("http" | "https", Some(_)) | ("mailto", _) => Self::External,
            // Shown before the first page loads.
            _ if url.as_str() == "about:blank" => Self::Interface,
            _ => Self::Blocked,
        }
    }
}

/// Opens the main window from its entry in `tauri.conf.json`. That entry has `create: false`,
/// because navigation guards can only be attached in code.
pub(crate) fn open_window(app: &AppHandle) -> tauri::Result<()> {
    for config in &app.config().app.windows {
        WebviewWindowBuilder::from_config(app, config)?
            .on_navigation(|url| {
                let target = NavigationTarget::from_url(url);
                open_in_browser(target, url);
                target == NavigationTarget::Interface
            })
            .on_new_window(|url, _| {
                // There is only one window, so that a link with a `target` opens in the browser or
                // not at all.
                open_in_browser(NavigationTarget::from_url(&url), &url);
                NewWindowResponse::Deny
            })
            .build()?;
    }
    Ok(())
}

/// Opens external URLs in the default browser and ignores all others.
fn open_in_browser(target: NavigationTarget, url: &Url) {
    if target != NavigationTarget::External {
        return;
    }
    if let Err(error) = umask::with_original(|| open::that_detached(url.as_str())) {
        tracing::warn!(%error, "couldn't open a link");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_interface_urls_are_shown_in_the_window() {
        for (address, target) in [
            (
                "tauri://localhost/blueprints/1#x",
                NavigationTarget::Interface,
            ),
            ("http://tauri.localhost/", NavigationTarget::Interface),
            ("about:blank", NavigationTarget::Interface),
            ("https://example.com/?q=1", NavigationTarget::External),
            ("http://127.0.0.1:8080/", NavigationTarget::External),
            ("mailto:somebody@example.com", NavigationTarget::External),
            (
                "https://tauri.localhost.example.com/",
                NavigationTarget::External,
            ),
            ("tauri://elsewhere/", NavigationTarget::Blocked),
            ("asset://localhost/etc/passwd", NavigationTarget::Blocked),
            ("file:///etc/passwd", NavigationTarget::Blocked),
            ("javascript:alert(1)", NavigationTarget::Blocked),
            (
                "data:text/html,<script>1</script>",
                NavigationTarget::Blocked,
            ),
            ("blob:tauri://localhost/1", NavigationTarget::Blocked),
            ("about:srcdoc", NavigationTarget::Blocked),
            ("ssh://host/", NavigationTarget::Blocked),
        ] {
            assert_eq!(
                NavigationTarget::from_url(&address.parse().expect("an address")),
                target,
                "{address}"
            );
        }
    }

    /// Returns the sorted directives of a policy, without the addresses of Tauri's IPC.
    fn directives(policy: &str) -> Vec<String> {
        let mut directives: Vec<_> = policy.split(';').map(|one| one.trim().to_owned()).collect();
        directives
            .iter_mut()
            .for_each(|one| *one = one.replace(" ipc: http://ipc.localhost", ""));
        directives.sort();
        directives
    }

    #[test]
    fn content_security_policy_matches_the_server() {
        let config: serde_json::Value =
            serde_json::from_str(include_str!("../../tauri.conf.json")).expect("JSON");
        let policy = config["app"]["security"]["csp"].as_str().expect("a policy");
        assert!(
            !policy.contains("asset:") && !policy.contains("unsafe-eval"),
            "{policy}"
        );
        for directive in [
            "default-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(
                directives(policy).contains(&directive.to_owned()),
                "{directive} is missing: {policy}"
            );
        }
        let server = include_str!("../server/src/static_files.rs");
        let constant = server
            .split("const POLICY: &str = \"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let served: String = constant
            .expect("the server's policy")
            .split("\\\n")
            .map(str::trim_start)
            .collect();
        assert_eq!(directives(policy), directives(&served));
        assert_eq!(
            config["app"]["windows"][0]["create"], false,
            "a window that Tauri makes has no guard"
        );
    }

    #[test]
    fn every_command_has_its_own_permission() {
        let source = include_str!("main.rs");
        let handled = source
            .split("generate_handler![")
            .nth(1)
            .and_then(|rest| rest.split(']').next());
        let mut commands: Vec<&str> = handled
            .expect("commands")
            .split(',')
            .filter_map(|path| path.trim().rsplit("::").next())
            .collect();
        commands.retain(|command| !command.is_empty());
        let permissions = include_str!("permissions/commands.toml");
        let capability: serde_json::Value =
            serde_json::from_str(include_str!("capabilities/main.json")).expect("JSON");
        let granted: Vec<&str> = capability["permissions"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|one| one.as_str())
            .collect();
        for command in &commands {
            let name = format!("allow-{}", command.replace('_', "-"));
            assert!(granted.contains(&name.as_str()), "{name} is not granted");
            assert!(
                permissions.contains(&format!("commands.allow = [\"{command}\"]")),
                "{name} is not defined"
            );
        }
        assert_eq!(
            permissions.matches("[[permission]]").count(),
            commands.len()
        );
        let own = granted.iter().filter(|name| !name.contains(':')).count();
        assert_eq!(own, commands.len(), "{granted:?}");
        assert!(
            capability.get("remote").is_none(),
            "no page of a server may call the window"
        );
    }
}
