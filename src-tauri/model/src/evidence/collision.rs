//! Detects failures that look like two nodes used the same resource at once, and suggests a lock.

use serde::{Deserialize, Serialize};

/// The resource that two nodes seem to have used at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CollisionKind {
    /// A network address was in use.
    Address,
    /// A build directory was locked.
    BuildDirectory,
    /// git's index was locked.
    GitIndex,
    /// Both nodes changed these files.
    Files {
        /// At most a few of them.
        paths: Vec<String>,
    },
}

/// A failure that may be explained by nodes running at the same time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Collision {
    pub with: CollisionKind,
    /// The titles of the nodes that ran at the same time.
    pub beside: Vec<String>,
    /// The lock that would serialize them.
    pub lock: String,
}

/// The maximum number of files or titles in a message.
const MAX_NAMED_NODES: usize = 3;
/// How many characters around the error are searched for a port.
const PORT_SEARCH_CHARS: usize = 120;

impl Collision {
    /// Explains the failure of an attempt that printed `output` while the nodes `beside` worked in
    /// the same directory and changed the `shared` files. `None` if it doesn't look like a
    /// collision.
    #[must_use]
    pub fn find(output: &str, beside: &[String], shared: &[String]) -> Option<Self> {
        if beside.is_empty() {
            return None;
        }
        let (with, lock) = address(output)
            .or_else(|| build_directory(output))
            .or_else(|| git_index(output))
            .or_else(|| files(shared))?;
        Some(Self {
            with,
            beside: beside.iter().take(MAX_NAMED_NODES).cloned().collect(),
            lock,
        })
    }
}

fn address(output: &str) -> Option<(CollisionKind, String)> {
    let lower = output.to_ascii_lowercase();
    let at = [
        "address already in use",
        "eaddrinuse",
        "port is already allocated",
    ]
    .iter()
    .filter_map(|words| lower.rfind(words))
    .max()?;
    let lock = port_near(&lower, at)
        .map_or_else(|| "host:network".to_owned(), |port| format!("port:{port}"));
    Some((CollisionKind::Address, lock))
}

/// The number after a colon or the word "port" that is nearest to `at`.
fn port_near(text: &str, at: usize) -> Option<u16> {
    let is_near = |place: usize| place.abs_diff(at) <= PORT_SEARCH_CHARS;
    let places = text.match_indices(':').map(|(place, _)| place + 1);
    let named = text
        .match_indices("port ")
        .map(|(place, word)| place + word.len());
    let mut ports: Vec<(usize, u16)> = places
        .chain(named)
        .filter(|&place| is_near(place))
        .filter_map(|place| Some((place.abs_diff(at), port_at(&text[place..])?)))
        .collect();
    ports.sort_unstable();
    ports.first().map(|&(_, port)| port)
}

/// A port: at least two digits that are not part of something longer.
fn port_at(text: &str) -> Option<u16> {
    let digits = text
        .trim_start_matches(' ')
        .split(|letter: char| !letter.is_ascii_digit())
        .next()?;
    if digits.len() < 2 {
        None
    } else {
        digits.parse().ok().filter(|port| *port > 0)
    }
}

fn build_directory(output: &str) -> Option<(CollisionKind, String)> {
    let words = [
        "Blocking waiting for file lock",
        "Another gradle process",
        "could not acquire lock on build",
    ];
    let is_locked = words.iter().any(|words| output.contains(words));
    is_locked.then(|| (CollisionKind::BuildDirectory, "build".to_owned()))
}

fn git_index(output: &str) -> Option<(CollisionKind, String)> {
    let is_locked = output.contains("index.lock")
        && (output.contains("Unable to create") || output.contains("exists"));
    is_locked.then(|| (CollisionKind::GitIndex, "git".to_owned()))
}

fn files(shared: &[String]) -> Option<(CollisionKind, String)> {
    let paths: Vec<String> = shared.iter().take(MAX_NAMED_NODES).cloned().collect();
    (!paths.is_empty()).then(|| (CollisionKind::Files { paths }, "files".to_owned()))
}

/// A full sentence, including what to do.
impl std::fmt::Display for Collision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<String> = self
            .beside
            .iter()
            .map(|title| format!("'{title}'"))
            .collect();
        match &self.with {
            CollisionKind::Address => f.write_str("Its network address was in use")?,
            CollisionKind::BuildDirectory => f.write_str("The build directory was locked")?,
            CollisionKind::GitIndex => f.write_str("git's index was locked")?,
            CollisionKind::Files { paths } => write!(f, "{} changed", paths.join(", "))?,
        }
        let were = if names.len() == 1 { "was" } else { "were" };
        let (names, lock) = (names.join(", "), &self.lock);
        write!(
            f,
            " while {names} {were} running. If they collided, add `locks: [\"{lock}\"]` to each of them."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock_for(output: &str, shared: &[&str]) -> Option<String> {
        let shared: Vec<String> = shared.iter().map(|&path| path.to_owned()).collect();
        Collision::find(output, &["Server".to_owned()], &shared).map(|collision| collision.lock)
    }

    #[test]
    fn collisions_are_detected_from_output() {
        let table: [(&str, &[&str], Option<&str>); 11] = [
            (
                "Error: listen EADDRINUSE: address already in use :::3000",
                &[],
                Some("port:3000"),
            ),
            (
                "OSError: [Errno 98] Address already in use",
                &[],
                Some("host:network"),
            ),
            (
                "bind: address already in use (127.0.0.1:8080)",
                &[],
                Some("port:8080"),
            ),
            (
                "Error: Port 5173 is already in use: EADDRINUSE",
                &[],
                Some("port:5173"),
            ),
            (
                "    Blocking waiting for file lock on build directory",
                &[],
                Some("build"),
            ),
            (
                "fatal: Unable to create '/r/.git/index.lock': File exists.",
                &[],
                Some("git"),
            ),
            ("assertion failed", &["src/a.rs"], Some("files")),
            ("assertion failed", &[], None),
            ("the address 127.0.0.1:8080 answers", &[], None),
            ("index.lock is documented here", &[], None),
            ("", &[], None),
        ];
        for (output, shared, lock) in table {
            assert_eq!(lock_for(output, shared).as_deref(), lock, "{output}");
        }
    }

    #[test]
    fn node_does_not_collide_with_itself() {
        assert_eq!(
            Collision::find("EADDRINUSE :::3000", &[], &["a".to_owned()]),
            None
        );
    }

    #[test]
    fn message_names_other_nodes_and_the_lock() {
        let found = Collision::find("EADDRINUSE :::3000", &["Server".to_owned()], &[])
            .expect("a collision");
        assert_eq!(
            found.to_string(),
            "Its network address was in use while 'Server' was running. If they collided, add `locks: \
             [\"port:3000\"]` to each of them."
        );
    }
}
