//! The durations for which executors may be silent. [`mod@crate::health`] applies them.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;
use std::time::Duration;

/// How often an executor sends a heartbeat, and how long its silence is tolerated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// The interval between two heartbeats.
    pub beat: Duration,
    /// After this much silence an executor is unhealthy: its runs are watched.
    pub unhealthy: Duration,
    /// After this much silence it is stale: others may take over its runs.
    pub stale: Duration,
}

/// Why a text is not a valid lease.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LeaseError {
    /// It does not consist of three parts.
    #[error("BATON_LEASE must be three numbers of milliseconds, such as 5000,60000,120000")]
    Form,
    /// One of its parts is not a number.
    #[error("BATON_LEASE contains '{word}', which is not a number of milliseconds")]
    Number {
        /// The part as it was written.
        word: String,
        /// Why it could not be parsed.
        #[source]
        source: ParseIntError,
    },
    /// The durations are not in ascending order.
    #[error("each duration in BATON_LEASE must be longer than the one before it")]
    Order,
}

/// Overrides the default durations, in milliseconds: `beat,unhealthy,stale`. For tests, and for
/// machines so slow that a minute of silence is normal; all executors on one data directory should
/// agree.
pub const LEASE_VARIABLE: &str = "BATON_LEASE";

impl Lease {
    /// The lease from the environment variable, or the default.
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
    fn lease_is_three_ascending_durations() {
        let lease: Lease = "200, 600,1200".parse().expect("ascending");
        assert_eq!(lease.to_string(), "200,600,1200");
        assert_eq!(Lease::default().to_string(), "5000,60000,120000");
        for bad in [
            "", "1,2", "1,2,3,4", "a,2,3", "0,1,2", "3,2,1", "1,1,2", "-1,2,3",
        ] {
            assert!(bad.parse::<Lease>().is_err(), "{bad:?}");
        }
    }
}
