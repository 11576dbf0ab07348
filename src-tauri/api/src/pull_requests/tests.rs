//! Tests of what a person sees of an address, and of the command for a terminal.

use super::*;

#[test]
fn passwords_in_addresses_are_not_shown() {
    for (address, shown) in [
        ("https://me:secret@github.com/a/b", "https://github.com/a/b"),
        (
            "https://github.com/a/b, ssh://git@x/y",
            "https://github.com/a/b, ssh://x/y",
        ),
        ("git@github.com:a/b", "git@github.com:a/b"),
        ("/srv/a\u{202e}b", "/srv/ab"),
    ] {
        assert_eq!(shown_address(address), shown);
    }
}

#[test]
fn push_command_is_quoted() {
    assert_eq!(
        push_command(Path::new("/it's; rm"), "origin", "baton/x-1"),
        r"git -C '/it'\''s; rm' push --set-upstream 'origin' 'baton/x-1'"
    );
}
