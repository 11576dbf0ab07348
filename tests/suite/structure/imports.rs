//! Finds the imports between the top-level modules of a crate, from its source.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, File, Item, ItemMod, ItemUse, UseTree, Visibility};

type Module = String;

/// The imports between the top-level modules of a crate, without tests.
pub(crate) struct Imports {
    edges: BTreeMap<Module, BTreeSet<Module>>,
}

impl Imports {
    /// Reads the crate whose root file is in `folder`.
    pub(crate) fn read(folder: &Path) -> Self {
        let root = ["lib.rs", "main.rs"]
            .iter()
            .map(|name| folder.join(name))
            .find(|path| path.is_file())
            .expect("a root file");
        let root = parse(&root);
        let modules: BTreeSet<Module> = root
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Mod(module) if !is_for_tests(&module.attrs) => Some(module.ident.to_string()),
                _ => None,
            })
            .collect();
        let exported = exports(&root, &modules);
        let mut edges = BTreeMap::new();
        for module in &modules {
            let mut paths = Paths::default();
            let file = folder.join(format!("{module}.rs"));
            read_module(&file, &folder.join(module), 1, &mut paths);
            let targets = paths.of_crate.iter().filter_map(|name| {
                let target = exported.get(name).unwrap_or(name);
                (modules.contains(target) && target != module).then(|| target.clone())
            });
            edges.insert(module.clone(), targets.collect());
        }
        Self { edges }
    }

    /// Returns the maximal sets of modules that depend on each other.
    pub(crate) fn circles(&self) -> BTreeSet<BTreeSet<Module>> {
        let reach: BTreeMap<&Module, BTreeSet<&Module>> = self
            .edges
            .keys()
            .map(|module| (module, self.reachable(module)))
            .collect();
        let circle = |module: &Module| -> BTreeSet<Module> {
            let back = |other: &&&Module| reach[**other].contains(module);
            reach[module]
                .iter()
                .filter(back)
                .map(|&other| other.clone())
                .collect()
        };
        self.edges
            .keys()
            .map(circle)
            .filter(|found| found.len() > 1)
            .collect()
    }

    fn reachable(&self, from: &Module) -> BTreeSet<&Module> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&Module> = self.edges[from].iter().collect();
        while let Some(module) = open.pop() {
            if found.insert(module) {
                open.extend(&self.edges[module]);
            }
        }
        found
    }
}

fn parse(path: &Path) -> File {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let words = quote_path(attribute);
        words.contains("test") && attribute.path().is_ident("cfg")
    })
}

fn quote_path(attribute: &Attribute) -> String {
    match &attribute.meta {
        syn::Meta::List(list) => list.tokens.to_string(),
        _ => String::new(),
    }
}

/// Returns the names that the root re-exports, with the modules they come from.
fn exports(root: &File, modules: &BTreeSet<Module>) -> BTreeMap<String, Module> {
    let mut exported = BTreeMap::new();
    for item in &root.items {
        let Item::Use(ItemUse { vis, tree, .. }) = item else {
            continue;
        };
        if let (Visibility::Public(_) | Visibility::Restricted(_), UseTree::Path(path)) =
            (vis, tree)
            && modules.contains(&path.ident.to_string())
        {
            let module = path.ident.to_string();
            for name in leaves(&path.tree) {
                exported.insert(name, module.clone());
            }
        }
    }
    exported
}

fn leaves(tree: &UseTree) -> Vec<String> {
    match tree {
        UseTree::Path(path) => leaves(&path.tree),
        UseTree::Name(name) => vec![name.ident.to_string()],
        UseTree::Rename(rename) => vec![rename.rename.to_string()],
        UseTree::Glob(_) => Vec::new(),
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
    }
}

/// Adds the paths of a module and its children, `depth` modules below the root.
fn read_module(file: &Path, folder: &Path, depth: usize, paths: &mut Paths) {
    paths.depth = depth;
    let parsed = parse(file);
    paths.visit_file(&parsed);
    for item in &parsed.items {
        let Item::Mod(ItemMod {
            attrs,
            ident,
            content: None,
            ..
        }) = item
        else {
            continue;
        };
        if !is_for_tests(attrs) {
            let name = ident.to_string();
            let child = match file_named_in(attrs) {
                Some(named) => file.with_file_name(named),
                None => folder.join(format!("{name}.rs")),
            };
            read_module(&child, &folder.join(name), depth + 1, paths);
        }
    }
}

/// Returns the file in `#[path = "…"]`.
fn file_named_in(attributes: &[Attribute]) -> Option<String> {
    attributes
        .iter()
        .find_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(text),
                    ..
                }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        })
}

/// Collects the first names after the crate's root, from all paths in a module.
#[derive(Default)]
struct Paths {
    depth: usize,
    of_crate: BTreeSet<String>,
}

impl Paths {
    /// Adds the name after `crate::`, or after as many `super::` as lead to the root.
    fn note(&mut self, names: &[String]) {
        let up = names.iter().take_while(|name| *name == "super").count();
        let skip = match names.first().map(String::as_str) {
            Some("crate") => 1,
            Some("super") if up == self.depth => up,
            _ => return,
        };
        self.of_crate.extend(names.get(skip).cloned());
    }

    fn note_tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |name: String| [before, &[name]].concat();
        match tree {
            UseTree::Path(path) => self.note_tree(&with(path.ident.to_string()), &path.tree),
            UseTree::Name(name) => self.note(&with(name.ident.to_string())),
            UseTree::Rename(rename) => self.note(&with(rename.ident.to_string())),
            UseTree::Glob(_) => self.note(before),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.note_tree(before, tree);
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.note_tree(&[], &item.tree);
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !is_for_tests(&module.attrs) {
            self.depth += 1;
            visit::visit_item_mod(self, module);
            self.depth -= 1;
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|part| part.ident.to_string())
            .collect();
        self.note(&names);
        visit::visit_path(self, path);
    }
}

#[test]
fn module_cycle_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("the folder is created");
        fs::write(file, text).expect("the file is written");
    };
    write("lib.rs", "mod a; mod b; mod c; pub use b::Of;");
    write("a.rs", "mod inner;");
    write("a/inner.rs", "use crate::Of;");
    write("b.rs", "fn f() { crate::c::g(); }");
    write("c.rs", "#[cfg(test)] mod tests { use super::super::a; }");
    assert_eq!(Imports::read(folder.path()).circles(), BTreeSet::new());
    write("c.rs", "fn g() -> super::a::Inner { todo() }");
    let all = ["a", "b", "c"].map(str::to_owned).into();
    assert_eq!(
        Imports::read(folder.path()).circles(),
        BTreeSet::from([all])
    );
}
