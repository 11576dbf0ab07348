//! Finds the secret values of an environment, by the names of the variables.

/// Shorter values are likely to occur in ordinary text.
const MIN_SECRET_LENGTH: usize = 8;
/// A number with fewer digits is a setting, not a secret.
const MIN_SECRET_DIGITS: usize = 12;
/// The limit on values to search for; a variable may contain a whole file.
const MAX_VALUES: usize = 1000;

const SECRET_WORDS: [&str; 6] = ["KEY", "PAT", "PASS", "PWD", "AUTH", "DSN"];
const SECRET_SUFFIXES: [&str; 9] = [
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "CREDENTIALS",
    "APIKEY",
    "PRIVATEKEY",
];
/// Words that indicate a secret only at the end of a name: `SESSION_COOKIE`, but not
/// `COOKIE_DOMAIN`.
const SECRET_LAST_WORDS: [&str; 5] = ["CRED", "CREDS", "SALT", "COOKIE", "COOKIES"];
/// Last words that are ambiguous: a git hook, the account of a bot. Their values must also look
/// random.
const LAST_WORDS_OF_RANDOM_SECRETS: [&str; 3] = ["HOOK", "WEBHOOK", "BOT"];
/// A value of this length without whitespace counts as random.
const MIN_RANDOM_LENGTH: usize = 24;

/// Returns the values to search for, line by line as output is, each as it is and as escaped in
/// JSON.
pub(crate) fn secret_values<'a>(
    environment: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Vec<Vec<u8>> {
    let mut values = Vec::new();
    for (name, value) in environment {
        if let Some(password) = password_in_url(value) {
            values.extend(encoded_forms(password));
        }
        if (is_secret(name) || is_secret_if_random(name) && is_random(value)) && !is_harmless(value)
        {
            values.extend(value.lines().flat_map(encoded_forms));
        }
    }
    values.sort();
    values.dedup();
    values.truncate(MAX_VALUES);
    values
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let words: Vec<&str> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    // `…_PUBLIC_KEY`, `…_KEY_ID`, `…_KEY_FILE` are not secret; `PWD` alone is the directory.
    let is_public = words.contains(&"PUBLIC")
        || matches!(words.last(), Some(&("ID" | "FILE" | "PATH" | "SOCK")));
    let one = |word: &&str| {
        SECRET_WORDS.contains(word) || SECRET_SUFFIXES.iter().any(|ending| word.ends_with(ending))
    };
    let last = words
        .last()
        .is_some_and(|word| SECRET_LAST_WORDS.contains(word));
    !is_public && name != "PWD" && name != "OLDPWD" && (last || words.iter().any(one))
}

fn is_secret_if_random(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let name = name.strip_suffix("_URL").unwrap_or(&name);
    name.rsplit('_')
        .next()
        .is_some_and(|last| LAST_WORDS_OF_RANDOM_SECRETS.contains(&last))
}

fn is_random(value: &str) -> bool {
    let has_both = value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic());
    !value.contains(char::is_whitespace)
        && (value.len() >= MIN_RANDOM_LENGTH || has_both && value.len() >= MIN_SECRET_DIGITS)
}

fn is_harmless(value: &str) -> bool {
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    value.starts_with('/') || (is_number && value.len() < MIN_SECRET_DIGITS)
}

fn password_in_url(value: &str) -> Option<&str> {
    let (_, rest) = value.split_once("://")?;
    let (account, _) = rest.split_once('@')?;
    let (_, password) = account.split_once(':')?;
    (!password.contains('/')).then_some(password)
}

fn encoded_forms(value: &str) -> Vec<Vec<u8>> {
    let value = value.trim();
    if value.len() < MIN_SECRET_LENGTH {
        return Vec::new();
    }
    let escaped = value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\t', "\\t");
    vec![value.as_bytes().to_vec(), escaped.into_bytes()]
}
