//! The secret that a client must show.

use std::fmt;

/// 32 random bytes, new at every start.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Draws one from the system's generator.
    pub fn draw() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(digit).collect()))
    }

    /// The token as clients send it: 64 hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `given` is the token, in a time that does not tell how much of it is right.
    #[must_use]
    pub fn is(&self, given: &[u8]) -> bool {
        let known = self.0.as_bytes();
        let difference = known.iter().zip(given).fold(0, |found, (a, b)| std::hint::black_box(found | (a ^ b)));
        known.len() == given.len() && difference == 0
    }
}

fn digit(value: u8) -> char {
    char::from_digit(value.into(), 16).unwrap_or('0')
}

impl fmt::Debug for Token {
    /// Never the secret itself: debug output ends in logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_is_the_token() -> Result<(), getrandom::Error> {
        let token = Token::draw()?;
        let text = token.as_str().to_owned();
        assert_eq!(text.len(), 64);
        assert!(token.is(text.as_bytes()));
        assert!(!token.is(b""));
        assert!(!token.is(&text.as_bytes()[..63]), "a beginning is not enough");
        assert!(!token.is(format!("{text}0").as_bytes()));
        assert!(!token.is(text.to_uppercase().as_bytes()) || text.to_uppercase() == text);
        assert_ne!(text, Token::draw()?.as_str(), "every start has its own");
        assert!(!format!("{token:?}").contains(&text));
        Ok(())
    }
}
