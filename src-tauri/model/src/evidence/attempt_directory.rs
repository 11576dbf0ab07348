//! The directory of an attempt, and how the paths in its texts are resolved.

/// The directory of an attempt and the tree around it that is compared. Both are absolute paths
/// with `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct AttemptDirectory {
    pub directory: String,
    /// The root of the compared tree: the directory itself, or the git work tree that contains it.
    pub root: String,
}

impl AttemptDirectory {
    /// The absolute path that `words` refer to from the directory.
    #[must_use]
    pub fn absolute(&self, words: &str) -> String {
        match words.starts_with('/') {
            true => normalize(words),
            false => normalize(&format!("{}/{words}", self.directory)),
        }
    }

    /// `below_root`, a path relative to the root, as seen from the directory.
    #[must_use]
    pub fn relative(&self, below_root: &str) -> String {
        let path = normalize(&format!("{}/{below_root}", self.root));
        let mut base = self.directory.trim_end_matches('/');
        let mut up = String::new();
        loop {
            if let Some(rest) = path
                .strip_prefix(base)
                .and_then(|rest| rest.strip_prefix('/'))
            {
                return up + rest;
            }
            let Some((parent, _)) = base.rsplit_once('/') else {
                return path;
            };
            base = parent;
            up.push_str("../");
        }
    }

    /// Whether a path is in the compared tree.
    #[must_use]
    pub fn contains(&self, absolute: &str) -> bool {
        let root = self.root.trim_end_matches('/');
        absolute == root
            || absolute
                .strip_prefix(root)
                .is_some_and(|rest| rest.starts_with('/'))
    }
}

/// An absolute path without `.`, `..` and double slashes. Links are not followed.
fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_attempt_directory() {
        let place = AttemptDirectory {
            directory: "/w/app/ui".to_owned(),
            root: "/w/app".to_owned(),
        };
        for (below_root, said) in [
            ("ui/a.ts", "a.ts"),
            ("src/a.rs", "../src/a.rs"),
            ("ui2/a", "../ui2/a"),
        ] {
            assert_eq!(place.relative(below_root), said);
            assert_eq!(
                place.absolute(said),
                format!("/w/app/{below_root}"),
                "and back"
            );
        }
        assert_eq!(place.absolute("./x/../a.ts"), "/w/app/ui/a.ts");
        assert!(
            place.contains("/w/app/src") && !place.contains("/w/apple") && !place.contains("/w")
        );
    }
}
