//! The message that ends a turn: how it ended, and what the session used so far.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::claude::ending;
use crate::claude::notice::parse;
use crate::notice::Notice;
use crate::odd;
use crate::part::Part;
use crate::turn_result::TurnResult;
use crate::usage::Usage;

#[derive(Deserialize)]
struct ResultMessage {
    #[serde(default, deserialize_with = "odd::field")]
    is_error: Option<bool>,
    #[serde(default, deserialize_with = "odd::field")]
    terminal_reason: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    result: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    errors: Vec<String>,
    /// The error of clients that tell one (seen in Qwen Code 0.24.4).
    #[serde(default, deserialize_with = "odd::field")]
    error: Option<Value>,
    #[serde(default, deserialize_with = "odd::field")]
    usage: Option<Value>,
    #[serde(default, deserialize_with = "odd::field")]
    api_error_status: Option<u32>,
    #[serde(default, deserialize_with = "odd::field")]
    origin: Option<Origin>,
    #[serde(default, deserialize_with = "odd::field")]
    total_cost_usd: Option<f64>,
    #[serde(rename = "modelUsage", default, deserialize_with = "odd::field")]
    model_usage: BTreeMap<String, ModelUsage>,
    /// Of this process alone, where the version tells it (seen in 2.1.329).
    #[serde(default, deserialize_with = "odd::field")]
    model_usage_since_last_result: Option<BTreeMap<String, ModelUsage>>,
}

#[derive(Deserialize)]
struct Origin {
    #[serde(default, deserialize_with = "odd::field")]
    kind: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ModelUsage {
    #[serde(default, deserialize_with = "odd::field")]
    input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "odd::field")]
    output_tokens: Option<u64>,
    #[serde(default, deserialize_with = "odd::field")]
    cache_read_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "odd::field")]
    cache_creation_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "odd::field")]
    cost_basis: Option<String>,
    #[serde(rename = "costUSD", default, deserialize_with = "odd::field")]
    cost_usd: Option<f64>,
}

/// A `usage` with a total, which is the sum of the whole process, for all models (seen in Qwen Code 0.24.4, which tells no
/// `modelUsage`). Claude's has no total.
#[derive(Deserialize)]
struct SummedUsage {
    input_tokens: u64,
    output_tokens: u64,
    #[serde(default)]
    cache_read_input_tokens: u64,
    total_tokens: u64,
}

impl SummedUsage {
    fn usage(&self) -> Usage {
        // The total tells whether what came from the cache is among what was read.
        let is_among = self.input_tokens.checked_add(self.output_tokens) == Some(self.total_tokens);
        let cached = if is_among {
            self.cache_read_input_tokens
        } else {
            0
        };
        Usage {
            input_tokens: Some(self.input_tokens.saturating_sub(cached)),
            output_tokens: Some(self.output_tokens),
            cache_read_tokens: Some(self.cache_read_input_tokens),
            ..Usage::default()
        }
    }
}

/// The end of the turn and its bill; `None` for a shape that is not known.
pub(super) fn parts<'a>(subtype: &str, line: &[u8]) -> Option<Vec<Part<'a>>> {
    let message: ResultMessage = parse(line)?;
    let usage = usage(&message);
    let told = message
        .error
        .as_ref()
        .and_then(|error| error["message"].as_str())
        .map(str::to_owned);
    let turn = TurnResult {
        is_error: message
            .is_error
            .unwrap_or(!matches!(subtype, "success" | "")),
        subtype: subtype.to_owned(),
        reason: message.terminal_reason.unwrap_or_default(),
        text: message
            .result
            .or(told)
            .unwrap_or_else(|| message.errors.join("\n")),
        api_status: message.api_error_status,
        unprompted: message.origin.and_then(|origin| origin.kind).as_deref()
            == Some("task-notification"),
    };
    Some(vec![
        Part::Notice(Notice::TurnEnded {
            end: ending::end(&turn, None, false),
            turn,
        }),
        Part::Notice(Notice::Usage(usage)),
    ])
}

/// What the conversation had used before this process went on with it, told by its first result. A version that does not
/// tell it leaves it unknown.
pub(super) fn used_before(line: &[u8]) -> Option<Usage> {
    let message: ResultMessage = parse(line)?;
    let whole = usage(&message);
    let since = message.model_usage_since_last_result?;
    let usd = since
        .values()
        .filter_map(|model| model.cost_usd)
        .sum::<f64>();
    let since = ResultMessage {
        model_usage: since,
        total_cost_usd: Some(usd),
        ..parse(line)?
    };
    let before = whole.less(usage(&since));
    // Prices are fractions: of a conversation that begins here, nothing is left over by rounding.
    Some(if before.has_tokens() {
        before
    } else {
        Usage::default()
    })
}

/// The whole session's usage. `modelUsage` and the cost grow over the turns of a process; `usage` beside them
/// is one turn's.
fn usage(message: &ResultMessage) -> Usage {
    if let Some(sum) = message
        .usage
        .as_ref()
        .and_then(|usage| SummedUsage::deserialize(usage).ok())
    {
        return sum.usage();
    }
    let models: Vec<&ModelUsage> = message.model_usage.values().collect();
    let sum = |part: fn(&ModelUsage) -> Option<u64>| {
        models
            .iter()
            .filter_map(|model| part(model))
            .reduce(|a, b| a + b)
    };
    let priced = models
        .iter()
        .all(|model| model.cost_basis.as_deref() != Some("unknown"));
    Usage {
        input_tokens: sum(|model| model.input_tokens),
        output_tokens: sum(|model| model.output_tokens),
        cache_read_tokens: sum(|model| model.cache_read_input_tokens),
        cache_write_tokens: sum(|model| model.cache_creation_input_tokens),
        // A turn without any model (a refused login) reports a price of 0, which is true but tells nothing.
        usd: message
            .total_cost_usd
            .filter(|_| priced && !models.is_empty()),
    }
}
