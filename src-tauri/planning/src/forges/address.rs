//! The address of a remote repository.

/// A repository of a forge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgeRepository {
    /// Such as `github.com`, in lower case.
    pub host: String,
    /// Owner and name, or groups and name, such as `acme/app`.
    pub path: String,
}

impl ForgeRepository {
    /// Reads the address of a git remote: `https://host/owner/name.git`, `ssh://git@host:22/…`, or
    /// `git@host:owner/name`. `None` for a path on this machine, and for anything else.
    #[must_use]
    pub fn from_address(address: &str) -> Option<Self> {
        let (authority, path) = match address.split_once("://") {
            Some(("https" | "http" | "ssh" | "git+ssh", rest)) => rest.split_once('/')?,
            Some(_) => return None,
            None => address
                .split_once(':')
                .filter(|(host, _)| !host.contains('/'))?,
        };
        let host = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        let host = host.split_once(':').map_or(host, |(host, _)| host);
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let is_name = |text: &str| {
            !text.is_empty()
                && !text.starts_with(['-', '.'])
                && text
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~'))
        };
        let is_path = path.contains('/') && path.split('/').all(is_name);
        (is_name(host) && is_path).then(|| Self {
            host: web_host(&host.to_ascii_lowercase()).to_owned(),
            path: path.to_owned(),
        })
    }

    /// Whether `url` is an address in a browser on this host.
    #[must_use]
    pub fn is_link(&self, url: &str) -> bool {
        let rest = ["https://", "http://"]
            .iter()
            .find_map(|scheme| url.strip_prefix(scheme));
        let is_plain = url.chars().all(|c| c.is_ascii_graphic());
        rest.and_then(|rest| rest.split_once('/'))
            .is_some_and(|(host, path)| {
                let host = host.split_once(':').map_or(host, |(host, _)| host);
                is_plain && !path.is_empty() && host.eq_ignore_ascii_case(&self.host)
            })
    }

    /// The full name, such as `github.com/acme/app`.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.host, self.path)
    }
}

/// Both forges serve SSH on the port of HTTPS at a host of its own.
fn web_host(host: &str) -> &str {
    match host {
        "ssh.github.com" => "github.com",
        "altssh.gitlab.com" => "gitlab.com",
        other => other,
    }
}
