//! For how long the word of an executor counts. Only the durations; who is judged by them is in
//! [`mod@crate::health`].

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;
use std::time::Duration;

/// How often an executor says that it lives, and how long others bear its silence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// Between two beats.
    pub beat: Duration,
    /// After so much silence an executor is unhealthy: its runs are watched.
    pub unhealthy: Duration,
    /// After so much silence it is stale: others may take its runs over.
    pub stale: Duration,
}

/// Why a text is no lease.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LeaseError {
    /// It does not have the form.
    #[error("read a lease: three numbers of milliseconds are needed, as in 5000,60000,120000")]
    Form,
    /// One of its parts is no number.
    #[error("read a lease: '{word}' is no number of milliseconds")]
    Number {
        /// The part.
        word: String,
        /// What is wrong with it.
        #[source]
        source: ParseIntError,
    },
    /// The durations contradict each other.
    #[error("read a lease: each duration must be longer than the one before it")]
    Order,
}

/// Overrides the product's durations, in milliseconds: `beat,unhealthy,stale`. For tests, and for machines so slow
/// that a minute of silence is nothing; all executors on one data directory should agree.
pub const LEASE_VARIABLE: &str = "BATON_LEASE";

impl Lease {
    /// The lease that the environment asks for, or the product's.
    pub fn from_environment() -> Result<Self, LeaseError> {
        std::env::var(LEASE_VARIABLE)
            .ok()
            .filter(|text| !text.is_empty())
            .map_or_else(|| Ok(Self::default()), |text| text.parse())
    }
}

impl Default for Lease {
    fn default() -> Self {
        Self {
            beat: Duration::from_secs(5),
            unhealthy: Duration::from_secs(60),
            stale: Duration::from_secs(120),
        }
    }
}

impl FromStr for Lease {
    type Err = LeaseError;

    fn from_str(text: &str) -> Result<Self, LeaseError> {
        let number = |word: &str| {
            let word = word.trim();
            word.parse()
                .map(Duration::from_millis)
                .map_err(|source| LeaseError::Number {
                    word: word.to_owned(),
                    source,
                })
        };
        let parts: Vec<Duration> = text.split(',').map(number).collect::<Result<_, _>>()?;
        let [beat, unhealthy, stale] = parts[..] else {
            return Err(LeaseError::Form);
        };
        let rises = !beat.is_zero() && beat < unhealthy && unhealthy < stale;
        if rises {
            Ok(Self {
                beat,
                unhealthy,
                stale,
            })
        } else {
            Err(LeaseError::Order)
        }
    }
}

impl fmt::Display for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{},{},{}",
            self.beat.as_millis(),
            self.unhealthy.as_millis(),
            self.stale.as_millis()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_is_three_rising_durations() {
        let lease: Lease = "200, 600,1200".parse().expect("three rising numbers");
        assert_eq!(lease.to_string(), "200,600,1200");
        assert_eq!(Lease::default().to_string(), "5000,60000,120000");
        for bad in [
            "", "1,2", "1,2,3,4", "a,2,3", "0,1,2", "3,2,1", "1,1,2", "-1,2,3",
        ] {
            assert!(bad.parse::<Lease>().is_err(), "{bad:?}");
        }
    }
}
