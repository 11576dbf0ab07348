//! Everything in a data directory as one archive.

use super::wire;

wire! {
    /// Writes a bundle.
    pub struct BundleExport {
        /// The archive to write: an absolute path.
        pub path: String,
        /// Include Baton's commits of the repositories in which plans work.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        pub with_commits: bool,
        /// Replace an existing file.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        pub overwrite: bool,
    }
    /// A bundle that was written.
    pub struct BundleExported {
        /// The archive.
        pub path: String,
        /// The number of files in it.
        pub files: usize,
        /// Their size without compression, in bytes.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub bytes: u64,
        /// The number of repositories whose commits are included.
        pub repositories: usize,
    }
    /// Takes a bundle into an empty Baton.
    pub struct BundleImport {
        /// The archive: an absolute path.
        pub path: String,
    }
    /// What a bundle brought.
    pub struct BundleImported {
        /// The number of plans.
        pub plans: usize,
        /// The number of runs that were open when the bundle was written.
        pub interrupted_runs: usize,
        /// Commits of repositories. Baton fetches none of them by itself.
        pub commits: Vec<BundleCommits>,
    }
    /// Commits below `refs/baton` of one repository.
    pub struct BundleCommits {
        /// A git bundle in the data directory.
        pub path: String,
        /// The repository on the machine of the export.
        pub directory: String,
    }
}
