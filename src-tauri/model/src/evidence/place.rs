//! Where an attempt works, and which path is meant by the words for it.

/// The directory of an attempt and the tree around it that is looked at, both as absolute paths with `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Where the attempt works.
    pub directory: String,
    /// The root of the tree that is looked at: the directory itself, or the git work tree that holds it.
    pub root: String,
}

impl Place {
    /// The absolute path that `words` mean for somebody in the directory.
    #[must_use]
    pub fn absolute(&self, words: &str) -> String {
        match words.starts_with('/') {
            true => normal(words),
            false => normal(&format!("{}/{words}", self.directory)),
        }
    }

    /// `path` below the root, as somebody in the directory says it.
    #[must_use]
    pub fn relative(&self, below_root: &str) -> String {
        let path = normal(&format!("{}/{below_root}", self.root));
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

    /// Whether a path is in the tree that is looked at.
    #[must_use]
    pub fn holds(&self, absolute: &str) -> bool {
        let root = self.root.trim_end_matches('/');
        absolute == root
            || absolute
                .strip_prefix(root)
                .is_some_and(|rest| rest.starts_with('/'))
    }
}

/// An absolute path without `.`, `..` and double slashes. Links are not followed.
fn normal(path: &str) -> String {
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
    fn paths_are_told_from_where_the_attempt_stands() {
        let place = Place {
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
        assert!(place.holds("/w/app/src") && !place.holds("/w/apple") && !place.holds("/w"));
    }
}
