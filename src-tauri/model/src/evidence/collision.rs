//! Whether a failure looks like two nodes that used the same thing at once, and the lock that would keep them apart.

use serde::{Deserialize, Serialize};

/// What two nodes seem to have used at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CollisionKind {
    /// A network address was in use.
    Address,
    /// A build directory was locked.
    BuildDirectory,
    /// git's index was locked.
    GitIndex,
    /// Both changed these files.
    Files {
        /// Some of them.
        paths: Vec<String>,
    },
}

/// A failure that nodes beside each other explain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Collision {
    /// What they used at once.
    pub with: CollisionKind,
    /// The titles of the nodes that worked meanwhile.
    pub beside: Vec<String>,
    /// The lock that would keep them apart.
    pub lock: String,
}

/// How many files or titles a collision names.
const NAMED: usize = 3;
/// How many characters around a port are looked at: others are about something else.
const NEAR: usize = 120;

impl Collision {
    /// What explains the failure of an attempt that printed `output` while nodes called `beside` worked in the same
    /// directory, and changed `shared` files there, too.
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
            beside: beside.iter().take(NAMED).cloned().collect(),
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

/// The number behind a colon or the word "port" that stands nearest to `at`.
fn port_near(text: &str, at: usize) -> Option<u16> {
    let is_near = |place: usize| place.abs_diff(at) <= NEAR;
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

/// A port: two digits or more, and nothing that makes them a part of something longer.
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
    let paths: Vec<String> = shared.iter().take(NAMED).cloned().collect();
    (!paths.is_empty()).then(|| (CollisionKind::Files { paths }, "files".to_owned()))
}

/// A sentence of its own, with what to do.
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
            CollisionKind::Files { paths } => write!(f, "{} changed meanwhile", paths.join(", "))?,
        }
        let (names, lock) = (names.join(", "), &self.lock);
        write!(
            f,
            " while {names} ran beside it. If they collided, write `locks: [\"{lock}\"]` on each of them."
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
    fn collisions_are_told_by_what_tools_print() {
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
    fn nobody_collides_with_itself() {
        assert_eq!(
            Collision::find("EADDRINUSE :::3000", &[], &["a".to_owned()]),
            None
        );
    }

    #[test]
    fn sentence_names_the_others_and_the_lock() {
        let found = Collision::find("EADDRINUSE :::3000", &["Server".to_owned()], &[])
            .expect("a collision");
        assert_eq!(
            found.to_string(),
            "Its network address was in use while 'Server' ran beside it. If they collided, write `locks: \
             [\"port:3000\"]` on each of them."
        );
    }
}
