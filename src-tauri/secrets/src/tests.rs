use proptest::prelude::*;

use super::*;

const KEY: &str = "sk-ant-api03-Abcdefghijklmnop1234567890";

fn masked(environment: &[(&str, &str)], text: &str) -> String {
    Secrets::from_environment(environment.iter().copied())
        .mask_text(text)
        .into_owned()
}

#[test]
fn values_of_secret_variables_are_masked() {
    for (name, value, text, expected) in [
        (
            "ANTHROPIC_API_KEY",
            "sk-ant-fake",
            "the key is sk-ant-fake.",
            "the key is [secret].",
        ),
        (
            "DB_PASSWORD",
            "hunter2hunter2",
            "hunter2hunter2hunter2hunter2",
            "[secret][secret]",
        ),
        (
            "npm_config__authToken",
            "abcdefgh-1",
            "abcdefgh-1",
            "[secret]",
        ),
        (
            "DATABASE_URL",
            "postgres://me:s3cr3ts3cr3t@db/x",
            "psql s3cr3ts3cr3t",
            "psql [secret]",
        ),
        (
            "SIGNING_SECRET",
            "a \"quoted\" one",
            r#"{"x":"a \"quoted\" one"}"#,
            r#"{"x":"[secret]"}"#,
        ),
        (
            "DB_PASS",
            "hunter2hunter2",
            "it is hunter2hunter2",
            "it is [secret]",
        ),
        (
            "SESSION_COOKIE",
            "s%3Aabcdef.ghijkl",
            "Cookie: s%3Aabcdef.ghijkl",
            "Cookie: [secret]",
        ),
        (
            "REGISTRY_CRED",
            "somebody:something",
            "as somebody:something",
            "as [secret]",
        ),
        (
            "HASH_SALT",
            "pepper-and-salt",
            "salted pepper-and-salt",
            "salted [secret]",
        ),
        (
            "CI_WEBHOOK_URL",
            "https://ci.example/h/1a2b3c4d",
            "curl https://ci.example/h/1a2b3c4d",
            "curl [secret]",
        ),
        (
            "ALERT_BOT",
            "a1b2c3d4e5f6g7h8",
            "bot a1b2c3d4e5f6g7h8",
            "bot [secret]",
        ),
        (
            "DEPLOY_PRIVATEKEY",
            "first line\nsecond line",
            "it has second line",
            "it has [secret]",
        ),
    ] {
        assert_eq!(masked(&[(name, value)], text), expected, "{name}");
    }
}

#[test]
fn non_secrets_are_not_masked() {
    for (name, value) in [
        ("PATH", "/usr/local/bin:/usr/bin"),
        ("PWD", "/home/somebody"),
        ("SSH_AUTH_SOCK", "/run/user/1000/keyring"),
        ("MAX_THINKING_TOKENS", "31999"),
        ("GPG_PUBLIC_KEY", "AAAABBBBCCCC"),
        ("AWS_ACCESS_KEY_ID_FILE", "somewhere/else"),
        ("MONKEY", "banana-banana"),
        ("API_KEY", "short"),
        ("TESTS_PASS", "3"),
        ("BYPASS", "everything-here"),
        ("COMPASS_HEADING", "north-north-east"),
        ("COOKIE_DOMAIN", "example.com:8080"),
        ("GIT_HOOK", "pre-commit"),
        ("REVIEW_BOT", "dependabot[bot]"),
        ("ROBOT", "r2d2-and-c3po-together"),
    ] {
        assert_eq!(masked(&[(name, value)], value), value, "{name}");
    }
    for text in [
        "12:AA and 7:AAAA",
        "sha256:AAF0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uAAF0aB1cD2eF3gH4iJ5",
        "class=\"sk-fading-circle-container-wide\"",
        "risk-and-reward",
        "AKIA is a prefix",
        "eyJmb28iOiJiYXIifQ",
    ] {
        assert_eq!(masked(&[], text), text);
    }
}

#[test]
fn known_key_patterns_are_masked_anywhere() {
    let many = "A1b".repeat(13);
    for (text, expected) in [
        (
            format!("export K={KEY}\n"),
            "export K=[secret]\n".to_owned(),
        ),
        (
            format!("{{\"t\":\"ghp_{many}\"}}"),
            "{\"t\":\"[secret]\"}".to_owned(),
        ),
        (
            "id AKIAABCDEFGHIJKLMNOP;".to_owned(),
            "id [secret];".to_owned(),
        ),
        (
            "curl https://hooks.slack.com/services/T0123ABCD/B0123ABCD/a1B2c3D4e5F6g7H8 -d x"
                .to_owned(),
            "curl https://[secret] -d x".to_owned(),
        ),
        (
            "https://api.telegram.org/bot123456789:AAF0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0u/getMe"
                .to_owned(),
            "https://api.telegram.org/bot123456789[secret]/getMe".to_owned(),
        ),
        (
            format!("eyJ{many}.eyJ{many}.{many} end"),
            "[secret] end".to_owned(),
        ),
        (
            format!(
                "-----BEGIN RSA PRIVATE KEY-----\n{many}\n{many}\n-----END RSA PRIVATE KEY-----"
            ),
            "-----BEGIN RSA [secret]-----END RSA PRIVATE KEY-----".to_owned(),
        ),
        (
            format!(
                r#"{{"k":"-----BEGIN PRIVATE KEY-----\n{many}\n{many}\n-----END PRIVATE KEY-----\n"}}"#
            ),
            r#"{"k":"-----BEGIN [secret]-----END PRIVATE KEY-----\n"}"#.to_owned(),
        ),
        (
            format!(r#"{{"k":"x = \"-----BEGIN PRIVATE KEY-----\n{many}\n{many}\""}}"#),
            r#"{"k":"x = \"-----BEGIN [secret]\""}"#.to_owned(),
        ),
    ] {
        assert_eq!(masked(&[], &text), expected);
    }
}

#[test]
fn stream_without_secrets_holds_back_few_bytes() {
    let mut masker = Masker::new(Secrets::from_environment([(
        "TOKEN_X_TOKEN",
        "password-of-mine",
    )]));
    assert_eq!(&*masker.push(b"Password: pass"), b"Password: ");
    assert!(masker.is_holding_back());
    assert_eq!(masker.flush(), b"pass");
    assert_eq!(&*masker.push(b"word\n"), b"word\n");
    assert!(!masker.is_holding_back());
}

#[test]
fn unending_candidate_is_released() {
    let mut masker = Masker::new(Secrets::known_patterns());
    assert_eq!(&*masker.push(b"PRIVATE KEY-----"), b"");
    let stored: usize = (0..100).map(|_| masker.push(&[b'A'; 4096]).len()).sum();
    assert!(
        stored >= 300_000,
        "{stored} of 409,600 bytes were released before the end"
    );
}

#[test]
fn removed_secrets_are_restored_in_place() {
    let mut masker = Masker::new(Secrets::from_environment([
        ("DB_PASSWORD", "postgres"),
        ("A_TOKEN", "gras-green"),
    ]))
    .with_memory();
    let said = "echo postgres [secret] gras-green\nlast postgres";
    let mut stored = masker.push(said.as_bytes()).into_owned();
    stored.extend(masker.flush());
    assert_eq!(
        String::from_utf8_lossy(&stored),
        "echo [secret] [secret] [secret]\nlast [secret]"
    );
    let removed = masker.removed_secrets().expect("secrets are recorded");
    let back = |from: usize, to: usize| {
        removed
            .restore(from as u64, &stored[from..to])
            .expect("not forgotten")
    };
    assert_eq!(
        back(0, stored.len()),
        said.as_bytes(),
        "a literal mask in the original stays unchanged"
    );
    assert_eq!(back(32, stored.len()), b"last postgres", "a single line");
    assert_eq!(back(0, 7), b"echo [s", "half a mask isn't replaced");
    assert_eq!(
        format!("{removed:?}"),
        "RemovedSecrets { pieces: 3, bytes: 122 }"
    );
}

#[test]
fn forgotten_secrets_are_not_restored() {
    let mut masker =
        Masker::new(Secrets::from_environment([("A_TOKEN", "gras-green")])).with_memory();
    let line = b"gras-green\n".repeat(1000);
    let mut lengths = (0..1000)
        .map(|_| masker.push(&line).len() as u64)
        .collect::<Vec<_>>();
    let last = lengths.pop().expect("a line");
    let removed = masker.removed_secrets().expect("secrets are recorded");
    assert_eq!(removed.restore(0, b"[secret]\n"), None);
    let end = lengths.iter().sum::<u64>();
    let masked = b"[secret]\n".repeat(1000);
    assert_eq!(
        (last, removed.restore(end, &masked).as_deref()),
        (masked.len() as u64, Some(&*line))
    );
}

#[test]
fn idle_release_exposes_only_first_letters() {
    let bot = "bot123456:AAF0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0u,";
    for text in [
        "x my-own-secret-value y",
        &format!("x {KEY} y"),
        &format!("x {bot} y"),
        "a my-own but no secret my",
    ] {
        for (first, second) in
            (0..text.len()).flat_map(|first| (first..text.len()).map(move |second| (first, second)))
        {
            let secrets = Secrets::from_environment([("A_SECRET", "my-own-secret-value")]);
            let whole = secrets.mask_text(text).into_owned();
            let mut masker = Masker::new(secrets).with_memory();
            let mut out = Vec::new();
            for piece in [&text[..first], &text[first..second], &text[second..]] {
                out.extend_from_slice(&masker.push(piece.as_bytes()));
                out.extend(masker.release_idle());
            }
            out.extend(masker.flush());
            let shown = String::from_utf8_lossy(&out).into_owned();
            let (before, after) = whole.split_once(MASK).unwrap_or((&whole, ""));
            let rest = shown.strip_prefix(before).expect("other text is unchanged");
            let rest = rest.strip_suffix(after).expect("other text is unchanged");
            let seen = rest.strip_suffix(MASK).unwrap_or(rest);
            assert!(
                seen.len() <= 3,
                "{text} split at {first} and {second}: {shown}"
            );
            assert_eq!(whole.contains(MASK), rest.ends_with(MASK), "{shown}");
            let back = masker
                .removed_secrets()
                .and_then(|removed| removed.restore(0, &out));
            assert_eq!(back.as_deref(), Some(text.as_bytes()), "{shown}");
        }
    }
}

proptest! {
    #[test]
    fn chunk_boundaries_do_not_matter(
        parts in prop::collection::vec(prop_oneof![
            4 => "[a-zA-Z \n\".sk-]{0,30}",
            1 => Just(KEY.to_owned()),
            1 => Just("my-own-secret-value".to_owned()),
            1 => Just("AKIAABCDEFGHIJKLMNOP".to_owned()),
        ], 0..8),
        cuts in prop::collection::vec(0..400_usize, 0..12),
    ) {
        let text = parts.concat();
        let secrets = Secrets::from_environment([("A_SECRET", "my-own-secret-value")]);
        let whole = secrets.mask(text.as_bytes()).into_owned();
        let mut masker = Masker::new(secrets).with_memory();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
        cuts.sort_unstable();
        cuts.push(text.len());
        let (mut out, mut from) = (Vec::new(), 0);
        for cut in cuts {
            out.extend_from_slice(&masker.push(&text.as_bytes()[from..cut]));
            from = cut;
        }
        out.extend(masker.flush());
        prop_assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&whole));
        prop_assert!(!String::from_utf8_lossy(&out).contains("my-own-secret-value"));
        let back = masker.removed_secrets().and_then(|removed| removed.restore(0, &out));
        prop_assert_eq!(back.as_deref(), Some(text.as_bytes()));
    }
}
