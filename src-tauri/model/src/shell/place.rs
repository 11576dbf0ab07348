//! Where a value cannot stand in a command.

use serde::{Deserialize, Serialize};

/// Where a value cannot stand in a command. Displayed, it continues the sentence "puts `{{…}}`", and says how to write it.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, thiserror::Error,
)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "place", rename_all = "snake_case")]
pub enum ValuePlace {
    /// In code that a program runs.
    #[error("into code for {program}, where a value can run commands; pass it as an argument: {}", pass_on(.program))]
    Code {
        /// The program.
        program: String,
    },
    /// In what a program reads and runs as code.
    #[error(
        "into the input of {program}, which runs it as code; pass it as an argument: sh -c 'echo \"$1\"' _ {{{{…}}}}"
    )]
    Input {
        /// The program.
        program: String,
    },
    /// Where the name of the program stands.
    #[error(
        "where the name of a program stands; write the program or its folder yourself, such as ./bin/{{{{…}}}}"
    )]
    Program,
    /// Where a program looks for options, one of which may be code.
    #[error(
        "where {program} looks for options, which can hold code; write -- or ./ before it, or pass it later"
    )]
    Option {
        /// The program.
        program: String,
    },
    /// In arithmetic or in place of a variable's name, which some shells evaluate.
    #[error(
        "into arithmetic or the name of a variable, which a shell evaluates; use expr {{{{…}}}} + 1 instead"
    )]
    Arithmetic,
    /// In a here-document whose delimiter is quoted.
    #[error(
        "into a here-document with a quoted delimiter, where nothing is filled in; remove the quotes of the delimiter"
    )]
    HereDocument,
    /// In `${…}`.
    #[error("inside of ${{…}}; set a variable first: x={{{{…}}}}, then use \"$x\"")]
    Expansion,
    /// Between backquotes.
    #[error("between backquotes; write $(…) instead of `…`")]
    Backquotes,
    /// In `$'…'`.
    #[error("into $'…'; use plain quotes there")]
    AnsiQuotes,
    /// Right behind a backslash or a dollar sign.
    #[error("right behind a backslash or a dollar sign; remove that sign")]
    Escaped,
    /// As the delimiter of a here-document.
    #[error("where the delimiter of a here-document stands; write the delimiter yourself")]
    Delimiter,
    /// In a variable that programs read as code.
    #[error(
        "into the variable {name}, which programs read as code or as the name of a program; use another variable"
    )]
    Variable {
        /// The variable.
        name: String,
    },
    /// Split where there are no words to split into, or where the value is not known yet.
    #[error(
        "with | split where it cannot become several words; use it outside of quotes in a shell line, and not for values of a loop"
    )]
    Split,
}

impl ValuePlace {
    /// Whether a number is as wrong here as a text.
    pub(super) fn harms_numbers(&self) -> bool {
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

/// How a value is passed to code of `program`.
fn pass_on(program: &str) -> String {
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
