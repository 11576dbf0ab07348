//! Collects the texts of a Rust file: strings in code, error messages, and doc comments that are
//! help texts.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, ExprMethodCall, ImplItemFn, ItemFn, ItemMod, Lit, LitStr, Macro, Meta};

use crate::text::{is_text, join_lines};

/// Macros whose strings no user sees: for tests, bugs and logs.
const INTERNAL_MACROS: [&str; 15] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "concat",
    "debug",
    "debug_assert",
    "env",
    "error",
    "info",
    "include_str",
    "panic",
    "todo",
    "trace",
    "unreachable",
    "warn",
];
/// Attributes whose strings are user-visible.
const VISIBLE_ATTRIBUTES: [&str; 5] = ["arg", "clap", "command", "error", "value"];
/// Derive macros that turn a type's doc comments into help texts.
const HELP: [&str; 4] = ["Args", "Parser", "Subcommand", "ValueEnum"];

/// Returns the texts of `source` with their line numbers, in order.
pub(crate) fn texts(source: &str) -> syn::Result<Vec<(usize, String)>> {
    let file = syn::parse_file(source)?;
    let mut texts = Texts::default();
    texts.visit_file(&file);
    texts.found.sort();
    texts.found.dedup();
    Ok(texts.found)
}

#[derive(Default)]
struct Texts {
    found: Vec<(usize, String)>,
    /// Set within a type whose doc comments are help texts.
    is_help: bool,
}

impl Texts {
    fn add(&mut self, literal: &LitStr) {
        if is_text(&literal.value()) {
            self.push(literal);
        }
    }

    fn push(&mut self, literal: &LitStr) {
        let (line, text) = (literal.span().start().line, join_lines(&literal.value()));
        if !text.is_empty() {
            self.found.push((line, text));
        }
    }

    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) if is_doc(&group) => {}
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    if let Lit::Str(literal) = Lit::new(literal) {
                        self.add(&literal);
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }

    fn visit_help(&mut self, attributes: &[Attribute], walk: impl FnOnce(&mut Self)) {
        let outer = self.is_help;
        self.is_help = derives_help(attributes);
        walk(self);
        self.is_help = outer;
    }
}

impl<'a> Visit<'a> for Texts {
    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'a ItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'a ImplItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        self.visit_help(&item.attrs, |texts| visit::visit_item_struct(texts, item));
    }

    fn visit_item_enum(&mut self, item: &'a syn::ItemEnum) {
        self.visit_help(&item.attrs, |texts| visit::visit_item_enum(texts, item));
    }

    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        let is = |name: &str| attribute.path().is_ident(name);
        match &attribute.meta {
            Meta::NameValue(value) if is("doc") && self.is_help => {
                if let syn::Expr::Lit(syn::ExprLit {
                    lit: Lit::Str(literal),
                    ..
                }) = &value.value
                {
                    self.push(literal);
                }
            }
            Meta::List(list) if VISIBLE_ATTRIBUTES.iter().any(|name| is(name)) => {
                self.tokens(list.tokens.clone());
            }
            _ => {}
        }
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        // The messages of `expect` are for bugs.
        if call.method == "expect" {
            self.visit_expr(&call.receiver);
        } else {
            visit::visit_expr_method_call(self, call);
        }
    }

    fn visit_macro(&mut self, call: &'a Macro) {
        let name = call.path.segments.last().map(|last| last.ident.to_string());
        if !name.is_some_and(|name| INTERNAL_MACROS.contains(&name.as_str())) {
            self.tokens(call.tokens.clone());
        }
    }

    fn visit_lit_str(&mut self, literal: &'a LitStr) {
        self.add(literal);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("cfg") => mentions(list.tokens.clone(), &["test"]),
        _ => false,
    })
}

fn derives_help(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("derive") && mentions(list.tokens.clone(), &HELP),
        _ => false,
    })
}

/// Returns whether the group is a doc comment's attribute, inside a macro.
fn is_doc(group: &Group) -> bool {
    let first = group.stream().into_iter().next();
    group.delimiter() == Delimiter::Bracket
        && matches!(first, Some(TokenTree::Ident(ident)) if ident == "doc")
}

fn mentions(tokens: TokenStream, names: &[&str]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.iter().any(|name| ident == name),
        TokenTree::Group(group) => mentions(group.stream(), names),
        TokenTree::Literal(_) | TokenTree::Punct(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r#"
/// What a developer reads.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("the plan '{0}' doesn't exist")]
    Missing(String),
}

/// Run a plan.
#[derive(clap::Args)]
struct Run {
    /// Ask nothing.
    #[arg(long, value_name = "PLAN", help = "Approve the plan too")]
    yes: bool,
}

fn say(count: u32) -> String {
    tracing::warn!("not user-visible");
    maybe().expect("not user-visible either");
    format!("{count} of them wait for you", count = count)
}

wire! {
    /// The docs of a type in a macro are not user-visible.
    struct Row {}
}

#[cfg(test)]
mod tests {
    fn of_tests() -> &'static str { "tests are not user-visible" }
}
"#;

    #[test]
    fn finds_messages_help_and_string_literals() {
        let expected = [
            (5, "the plan '{0}' doesn't exist"),
            (9, "Run a plan."),
            (12, "Ask nothing."),
            (13, "Approve the plan too"),
            (20, "{count} of them wait for you"),
        ]
        .map(|(line, text)| (line, text.to_owned()));
        assert_eq!(texts(SOURCE).expect("valid source"), expected);
    }
}
