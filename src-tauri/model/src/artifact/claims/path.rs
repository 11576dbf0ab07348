//! Decides which words are paths.

/// Extensions by which a name without a folder is recognized as a file. `Parser.add` is not one.
const ENDINGS: &str = " adoc asm astro avif awk bak bash bat bazel bib bin bmp bzl c cc cfg cjs clj cljs cmake cmd conf config cpp cr crt \
    cs csproj css csv cts cu cue cxx d dart db diff dll doc docx dot edn ejs elm env eps erb erl ex exe exs f90 fish flac \
    frag fs fsx gemspec gif go gql gradle graphql groovy gz h haml hbs hcl hh hpp hrl hs htm html hxx ico ics idx ini \
    ino ipynb iss java jar jl jpeg jpg js json json5 jsonc jsonl jsonnet jsx key kt kts less lib liquid list lock log lua m \
    m4 map markdown md mdx mjs mk ml mli mm mo mod mp3 mp4 mts mustache nim nix npy npz o ogg onnx opml org out pas \
    patch pbxproj pdf pem php pid pkl pl plist pm png po podspec ppt pptx pro prisma properties proto ps1 psd pug pxd \
    py pyc pyi pyx qml r rake rb rego rkt rmd rs rst rtf s sass sbt scala scm scss sh sketch slim sln snap so sol sql \
    sqlite srt stories styl sum svelte svg swift tar tcl templ tex tf tfvars tgz thrift tif tiff tmp tmpl toml ts tsbuildinfo \
    tsv tsx ttf txt v vb vbs vert vhd vim vue wasm wav webm webmanifest webp wgsl woff woff2 xcconfig xhtml xls xlsx xml xsd \
    xsl yaml yml zig zip zsh parquet example sample template service desktop spec dockerfile ";
/// Product names that look like files.
const PRODUCTS: [&str; 12] = [
    "node.js",
    "vue.js",
    "next.js",
    "nuxt.js",
    "react.js",
    "express.js",
    "three.js",
    "d3.js",
    "chart.js",
    "alpine.js",
    "asp.net",
    "socket.io",
];
/// Words that state that there is no file.
const NOTHING: [&str; 9] = ["none", "no", "n/a", "nothing", "nil", "na", "-", "null", ""];
/// Branch names and prefixes.
const BRANCHES: [&str; 9] = [
    "origin/",
    "feature/",
    "feat/",
    "fix/",
    "bugfix/",
    "hotfix/",
    "release/",
    "refs/",
    "upstream/",
];
/// The maximum number of paths that one word with braces expands to.
const BRACES_LIMIT: usize = 64;

/// A word that may be a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PathWord {
    pub(super) path: String,
    pub(super) is_certain: bool,
}

/// The paths in a word: several with braces (`src/{a,b}.py`) or slashes (`a.py/b.py`); empty if the
/// word is not a path.
pub(super) fn parse_paths(word: &str, is_quoted: bool) -> Vec<PathWord> {
    let Some(word) = plain(word) else {
        return Vec::new();
    };
    if !is_quoted && PRODUCTS.contains(&word.to_ascii_lowercase().as_str()) {
        return Vec::new();
    }
    let parts: Vec<&str> = word.split('/').collect();
    if parts.len() > 1 && parts.iter().all(|part| has_ending(part)) {
        return parts
            .iter()
            .map(|part| PathWord {
                path: (*part).to_owned(),
                is_certain: true,
            })
            .collect();
    }
    let expanded = expanded(&word);
    if expanded.is_empty() || expanded.iter().any(|path| is_symbol(path)) {
        return Vec::new();
    }
    let certain = |path: &String| is_certain(path, is_quoted);
    expanded
        .into_iter()
        .map(|path| PathWord {
            is_certain: certain(&path),
            path,
        })
        .collect()
}

/// Whether the word alone shows that it is a file.
fn is_certain(path: &str, is_quoted: bool) -> bool {
    let is_vague =
        path.contains([' ', '\t', '…', '$', '@', '=', '"', '\'']) || path.contains("...");
    if is_vague && !path.starts_with("$HOME/") && !path.starts_with("${HOME}/") {
        return false;
    }
    let name = path
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    if has_ending(name) || is_dotfile(name) {
        return !is_address(path);
    }
    let is_branch = BRANCHES.iter().any(|branch| path.starts_with(branch));
    let is_rooted =
        path.starts_with(['/', '~', '$']) || path.starts_with("./") || path.starts_with("../");
    let slashes = path.matches('/').count();
    let is_long = is_quoted || is_rooted || path.ends_with('/') || slashes > 1;
    slashes > 0 && is_long && !is_branch && !is_address(path) && !is_pair(path)
}

/// Abbreviations such as `CI/CD`, `N/A` and `I/O` are not paths.
fn is_pair(path: &str) -> bool {
    path.split('/').all(|part| {
        part.len() < 5 && !part.is_empty() && part.chars().all(|c| c.is_ascii_uppercase())
    })
}

/// Addresses such as `github.com/owner/name` are not paths.
fn is_address(path: &str) -> bool {
    let Some((host, _)) = path.split_once('/') else {
        return false;
    };
    [".com", ".org", ".io", ".dev", ".net", ".ai", ".app"]
        .iter()
        .any(|ending| host.ends_with(ending) && host.len() > ending.len())
}

/// Whether a name has a known extension.
fn has_ending(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return false;
    };
    let ending = ending.to_ascii_lowercase();
    !stem.is_empty()
        && !ending.is_empty()
        && !ending.contains(' ')
        && ENDINGS.contains(&format!(" {ending} "))
}

/// Names such as `.gitignore` and `.env.local` are paths.
fn is_dotfile(name: &str) -> bool {
    name.strip_prefix('.')
        .is_some_and(|rest| rest.len() > 1 && rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Names of code, options and placeholders.
fn is_symbol(path: &str) -> bool {
    let is_call = path.contains(['(', ')']) && !(path.contains('/') && has_ending(path));
    is_call
        || path.contains("::")
        || path.starts_with(['#', '-', '=', '%', '&', '!', '?'])
        || (path.starts_with('@') && !has_ending(path))
}

/// A path without line numbers and the punctuation of its sentence; `None` for words that state
/// that there is none.
fn plain(word: &str) -> Option<String> {
    let word = word.trim().trim_end_matches([':', ';', ',', '!', '?']);
    let word = word
        .strip_suffix('.')
        .unwrap_or(word)
        .trim_end_matches([':', ';']);
    let word = match word.starts_with('_') && word.ends_with('_') && !word.starts_with("__") {
        true => word.trim_matches('_'),
        false => word,
    };
    let path = without_lines(word);
    let is_none = NOTHING.contains(&path.to_ascii_lowercase().as_str());
    let is_path = !is_none
        && !path.contains("://")
        && !path.contains(['\n', '<', '>', '`', '|'])
        && path.len() <= 1024;
    let has_name = path.contains(char::is_alphanumeric) || path.contains('*');
    (is_path && has_name).then(|| {
        if path.contains('/') {
            path.to_owned()
        } else {
            path.replace('\\', "/")
        }
    })
}

/// The path in `path:12`, `path:12-40`, `path:12:5` and `path#L12`.
fn without_lines(word: &str) -> &str {
    let is_lines = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, '-' | ',' | 'L' | '–'))
    };
    if let Some((path, lines)) = word.rsplit_once('#')
        && is_lines(lines)
        && lines.starts_with('L')
    {
        return path;
    }
    match word.rsplit_once(':') {
        Some((path, lines)) if is_lines(lines) && !path.is_empty() => without_lines(path),
        _ => word,
    }
}

/// Expands braces. A word without braces is returned as is; braces that can't be parsed give
/// nothing.
fn expanded(word: &str) -> Vec<String> {
    let mut open = vec![word.replace("${HOME}", "$HOME")];
    let mut done = Vec::new();
    while let Some(word) = open.pop() {
        let Some(start) = word.find('{') else {
            done.push(word);
            continue;
        };
        // The first closing brace belongs to the last opening brace before it.
        let Some(end) = word[start..].find('}').map(|at| start + at) else {
            return Vec::new();
        };
        let start = word[..end].rfind('{').unwrap_or(start);
        let choices: Vec<&str> = word[start + 1..end].split(',').map(str::trim).collect();
        if choices.len() < 2 || open.len() + done.len() + choices.len() > BRACES_LIMIT {
            return Vec::new();
        }
        open.extend(
            choices
                .iter()
                .rev()
                .map(|choice| format!("{}{choice}{}", &word[..start], &word[end + 1..])),
        );
    }
    done
}
