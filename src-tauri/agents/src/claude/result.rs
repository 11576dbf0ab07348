//! The message that ends a turn: its outcome, and the usage of the session so far.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::claude::head::parse;
use crate::claude::turn_outcome;
use crate::lenient_json;
use crate::notice::Notice;
use crate::record_part::RecordPart;
use crate::turn_result::TurnResult;
use crate::usage::Usage;

#[derive(Deserialize)]
struct ResultMessage {
    #[serde(default, deserialize_with = "lenient_json::field")]
    is_error: Option<bool>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    terminal_reason: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    result: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    errors: Vec<String>,
    /// The error, from clients that report one (seen in Qwen Code 0.24.4).
    #[serde(default, deserialize_with = "lenient_json::field")]
    error: Option<Value>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    usage: Option<Value>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    api_error_status: Option<u32>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    origin: Option<Origin>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    total_cost_usd: Option<f64>,
    #[serde(
        rename = "modelUsage",
        default,
        deserialize_with = "lenient_json::field"
    )]
    model_usage: BTreeMap<String, ModelUsage>,
    /// The usage of this process alone, in versions that report it (seen in 2.1.329).
    #[serde(default, deserialize_with = "lenient_json::field")]
    model_usage_since_last_result: Option<BTreeMap<String, ModelUsage>>,
}

#[derive(Deserialize)]
struct Origin {
    #[serde(default, deserialize_with = "lenient_json::field")]
    kind: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ModelUsage {
    #[serde(default, deserialize_with = "lenient_json::field")]
    input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    output_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cache_read_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cache_creation_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cost_basis: Option<String>,
    #[serde(rename = "costUSD", default, deserialize_with = "lenient_json::field")]
    cost_usd: Option<f64>,
}

/// A `usage` with a total is the sum over the whole process and all models (seen in Qwen Code
/// 0.24.4, which has no `modelUsage`). Claude's has no total.
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
        // The total shows whether the input includes cached tokens.
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

/// The outcome and usage of a turn; `None` for an unknown shape.
pub(super) fn parts<'a>(subtype: &str, line: &[u8]) -> Option<Vec<RecordPart<'a>>> {
    let message: ResultMessage = parse(line)?;
    let usage = usage(&message);
    let reported_error = message
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
            .or(reported_error)
            .unwrap_or_else(|| message.errors.join("\n")),
        api_status: message.api_error_status,
        unprompted: message.origin.and_then(|origin| origin.kind).as_deref()
            == Some("task-notification"),
    };
    Some(vec![
        RecordPart::Notice(Notice::TurnEnded {
            end: turn_outcome::turn_end(&turn, None, false),
            turn,
        }),
        RecordPart::Notice(Notice::Usage(usage)),
    ])
}

/// The usage of the conversation before this process resumed it, from its first result. Unknown
/// in versions that do not report it.
pub(super) fn prior_usage(line: &[u8]) -> Option<Usage> {
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
    let before = whole.saturating_sub(usage(&since));
    // Costs are fractions. Rounding must not leave a cost for a conversation that begins here.
    Some(if before.has_tokens() {
        before
    } else {
        Usage::default()
    })
}

/// The usage of the whole session. `modelUsage` and the cost accumulate over the turns of a
/// process; `usage` next to them covers one turn.
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
        // A turn without a model, such as a refused login, reports a cost of 0, which means
        // nothing.
        usd: message
            .total_cost_usd
            .filter(|_| priced && !models.is_empty()),
    }
}
