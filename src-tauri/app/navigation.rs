//! Where the window may go: nowhere but to the interface. Links to elsewhere open in the person's browser.

use baton_api::umask;
use tauri::webview::NewWindowResponse;
use tauri::{AppHandle, Url, WebviewWindowBuilder};

/// What an address is to the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    /// The interface itself.
    Own,
    /// A page for a browser, or an address to write to.
    Outside,
    /// Whatever else a page may name: files, scripts, programs.
    Nowhere,
}

impl Target {
    fn of(url: &Url) -> Self {
        match (url.scheme(), url.host_str()) {
            ("tauri", Some("localhost")) | ("http" | "https", Some("tauri.localhost")) => Self::Own,
            ("http" | "https", Some(_)) | ("mailto", _) => Self::Outside,
            // What a view shows before its first page.
            _ if url.as_str() == "about:blank" => Self::Own,
            _ => Self::Nowhere,
        }
    }
}

/// Opens the main window as `tauri.conf.json` describes it; it is not made there, since a guard cannot be named there.
pub(crate) fn open_window(app: &AppHandle) -> tauri::Result<()> {
    for config in &app.config().app.windows {
        WebviewWindowBuilder::from_config(app, config)?
            .on_navigation(|url| {
                let target = Target::of(url);
                leave(target, url);
                target == Target::Own
            })
            .on_new_window(|url, _| {
                // A link of our own that asks for a window of its own has no place here: there is one window.
                leave(Target::of(&url), &url);
                NewWindowResponse::Deny
            })
            .build()?;
    }
    Ok(())
}

/// Shows a page in the person's browser, when it is one.
fn leave(target: Target, url: &Url) {
    if target != Target::Outside {
        return;
    }
    if let Err(error) = umask::with_original(|| open::that_detached(url.as_str())) {
        tracing::warn!(%error, "a link could not be opened");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_shows_the_interface_alone() {
        for (address, target) in [
            ("tauri://localhost/blueprints/1#x", Target::Own),
            ("http://tauri.localhost/", Target::Own),
            ("about:blank", Target::Own),
            ("https://example.com/?q=1", Target::Outside),
            ("http://127.0.0.1:8080/", Target::Outside),
            ("mailto:somebody@example.com", Target::Outside),
            ("https://tauri.localhost.example.com/", Target::Outside),
            ("tauri://elsewhere/", Target::Nowhere),
            ("asset://localhost/etc/passwd", Target::Nowhere),
            ("file:///etc/passwd", Target::Nowhere),
            ("javascript:alert(1)", Target::Nowhere),
            ("data:text/html,<script>1</script>", Target::Nowhere),
            ("blob:tauri://localhost/1", Target::Nowhere),
            ("about:srcdoc", Target::Nowhere),
            ("ssh://host/", Target::Nowhere),
        ] {
            assert_eq!(
                Target::of(&address.parse().expect("an address")),
                target,
                "{address}"
            );
        }
    }

    /// The directives of a policy, sorted, without where the page calls its backend.
    fn directives(policy: &str) -> Vec<String> {
        let mut directives: Vec<_> = policy.split(';').map(|one| one.trim().to_owned()).collect();
        directives
            .iter_mut()
            .for_each(|one| *one = one.replace(" ipc: http://ipc.localhost", ""));
        directives.sort();
        directives
    }

    #[test]
    fn the_window_is_as_strict_as_the_server() {
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
        let server = include_str!("../server/src/interface.rs");
        let constant = server
            .split("const POLICY: &str = \"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let served: String = constant
            .expect("its policy")
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
    fn each_command_of_the_page_is_permitted_by_name_and_no_other() {
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
