//! A layered graph, written as a plan for Baton and as build files for ninja and make.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Result;

/// The number of layers of every graph.
const LAYERS: usize = 10;

/// A graph of trivial commands. Each node below the first layer depends on two or three nodes of
/// the layer above.
pub(crate) struct Graph {
    width: usize,
}

impl Graph {
    /// Creates a graph of `nodes` nodes in ten layers.
    pub(crate) fn of(nodes: usize) -> Self {
        Self {
            width: nodes / LAYERS,
        }
    }

    /// Writes `plan.yaml`, `build.ninja` and `Makefile` to `folder`.
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("plan.yaml"), self.plan("")?)?;
        fs::write(folder.join("build.ninja"), self.ninja()?)?;
        Ok(fs::write(folder.join("Makefile"), self.makefile()?)?)
    }

    /// Writes only `plan.yaml`, with the sandbox turned off.
    pub(crate) fn write_unconfined(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)?;
        Ok(fs::write(
            folder.join("plan.yaml"),
            self.plan("sandbox: off\n")?,
        )?)
    }

    fn plan(&self, settings: &str) -> Result<String> {
        let mut text =
            format!("baton: 1\ntitle: Layers of nothing\nconcurrency: 2\n{settings}nodes:\n");
        for (name, parents) in self.nodes() {
            write!(
                text,
                "  - id: {name}\n    kind: command\n    command: [\"/bin/true\"]\n"
            )?;
            if !parents.is_empty() {
                writeln!(text, "    dependsOn: [{}]", parents.join(", "))?;
            }
        }
        Ok(text)
    }

    fn ninja(&self) -> Result<String> {
        let mut text = String::from("rule nothing\n  command = /bin/true\n\n");
        let mut all = Vec::new();
        for (name, parents) in self.nodes() {
            writeln!(text, "build {name}: nothing {}", parents.join(" "))?;
            all.push(name);
        }
        // The commands create no files, so that each build runs all of them, like the run of a
        // plan.
        writeln!(text, "\nbuild all: phony {}\ndefault all", all.join(" "))?;
        Ok(text)
    }

    fn makefile(&self) -> Result<String> {
        let mut text = String::new();
        let mut all = Vec::new();
        for (name, parents) in self.nodes() {
            write!(text, "{name}: {}\n\t@/bin/true\n", parents.join(" "))?;
            all.push(name);
        }
        let all = all.join(" ");
        Ok(format!("default: {all}\n{text}.PHONY: default {all}\n"))
    }

    fn nodes(&self) -> impl Iterator<Item = (String, Vec<String>)> {
        (0..LAYERS).flat_map(move |layer| {
            (0..self.width).map(move |at| (name(layer, at), self.parents(layer, at)))
        })
    }

    fn parents(&self, layer: usize, at: usize) -> Vec<String> {
        let Some(above) = layer.checked_sub(1) else {
            return Vec::new();
        };
        let mut places: Vec<usize> = [0, 7, 31]
            .iter()
            .take(2 + at % 2)
            .map(|step| (at + step) % self.width)
            .collect();
        places.sort_unstable();
        places.dedup();
        places.into_iter().map(|repo| name(above, repo)).collect()
    }
}

fn name(layer: usize, at: usize) -> String {
    format!("n{layer}-{at}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_files_hold_the_same_graph() -> Result<()> {
        let graph = Graph::of(1_000);
        assert_eq!(graph.nodes().count(), 1_000);
        assert_eq!(graph.plan("")?.matches("- id:").count(), 1_000);
        assert_eq!(graph.ninja()?.matches(": nothing").count(), 1_000);
        assert_eq!(graph.makefile()?.matches("/bin/true").count(), 1_000);
        assert!(
            graph.plan("")?.contains("dependsOn: [n0-1, n0-32, n0-8]")
                || graph.plan("")?.contains("dependsOn: [n0-1, n0-8, n0-32]")
        );
        assert_eq!(graph.parents(0, 5), Vec::<String>::new());
        for (_, parents) in graph.nodes().skip(100) {
            assert!((2..=3).contains(&parents.len()), "{parents:?}");
        }
        Ok(())
    }
}
