//! Positions in a command where a value is not allowed.

use serde::{Deserialize, Serialize};

/// A position where a value is not allowed. Its text continues the sentence "puts `{{…}}`" and says
/// what to write instead.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, thiserror::Error,
)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "place", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ValuePosition {
    /// In code that a program runs.
    #[error("into code for {program}, where a value can run commands; pass it as an argument: {}", suggest_argument(.program))]
    Code { program: String },
    /// In a program's input, which it runs as code.
    #[error(
        "into the input of {program}, which runs it as code; pass it as an argument: sh -c 'echo \"$1\"' _ {{{{…}}}}"
    )]
    Input { program: String },
    /// In place of a program's name.
    #[error(
        "in place of a program name; write the program or its folder yourself, such as ./bin/{{{{…}}}}"
    )]
    Program,
    /// Where a program expects options, one of which may contain code.
    #[error(
        "where {program} expects options, which can contain code; put -- or ./ before it, or pass it later"
    )]
    Option { program: String },
    /// In arithmetic or in place of a variable's name, which some shells evaluate.
    #[error(
        "into arithmetic or the name of a variable, which a shell evaluates; use expr {{{{…}}}} + 1 instead"
    )]
    Arithmetic,
    /// In a here-document with a quoted delimiter.
    #[error(
        "into a here-document with a quoted delimiter, where values are not expanded; remove the quotes around the delimiter"
    )]
    HereDocument,
    #[error("inside ${{…}}; set a variable first: x={{{{…}}}}, then use \"$x\"")]
    Expansion,
    #[error("between backquotes; write $(…) instead of `…`")]
    Backquotes,
    #[error("into $'…'; use plain quotes there")]
    AnsiQuotes,
    /// Directly after a backslash or a dollar sign.
    #[error("directly after a backslash or dollar sign; remove that character")]
    Escaped,
    /// As the delimiter of a here-document.
    #[error("in place of a here-document delimiter; write the delimiter yourself")]
    Delimiter,
    /// In a variable that programs interpret as code.
    #[error(
        "into the variable {name}, which programs read as code or as the name of a program; use another variable"
    )]
    Variable { name: String },
    /// Split where there is only one word, or where the value is not known yet.
    #[error(
        "with | split where it can't become several words; use it only outside of quotes in a shell line, and not for loop values"
    )]
    Split,
}

impl ValuePosition {
    /// Whether numbers are unsafe here too.
    pub(super) fn rejects_numbers(&self) -> bool {
        matches!(
            self,
            Self::HereDocument
                | Self::Expansion
                | Self::AnsiQuotes
                | Self::Escaped
                | Self::Delimiter
                | Self::Split
        )
    }
}

/// Returns how a value can be passed to code of `program`.
fn suggest_argument(program: &str) -> String {
    let name = program.rsplit('/').next().unwrap_or(program);
    match name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.') {
        "python" | "pypy" => format!("{name} -c 'import sys; print(sys.argv[1])' {{{{…}}}}"),
        "node" | "nodejs" | "bun" => {
            format!("{name} -e 'console.log(process.argv[1])' -- {{{{…}}}}")
        }
        "perl" => "perl -e 'print $ARGV[0]' -- {{…}}".to_owned(),
        "ruby" => "ruby -e 'puts ARGV[0]' -- {{…}}".to_owned(),
        "php" => "php -r 'echo $argv[1];' -- {{…}}".to_owned(),
        "awk" | "gawk" | "mawk" | "nawk" => format!("{name} -v x={{{{…}}}} '{{print x}}'"),
        "sed" | "gsed" => {
            format!("{name} --sandbox allows it, or use awk -v x={{{{…}}}} '{{print x}}'")
        }
        "ssh" => {
            "put it into a file and send that: printf %s {{…}} | ssh host 'cat > file'".to_owned()
        }
        _ => "sh -c 'echo \"$1\"' _ {{…}}".to_owned(),
    }
}
