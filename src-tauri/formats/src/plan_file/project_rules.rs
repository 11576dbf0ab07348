//! Reads the rules of a project: the JSON object in `.baton/plans.json`.

use std::ops::RangeInclusive;

use baton_model::ProjectRules;

use super::fault::{Fault, FaultKind, Faults};
use super::fields::{Fields, wrong_type};
use super::json_tree;
use super::plan_reader::guarded_tools;
use super::tree::{Entry, SourceLocation, Value};

const OWNER: &str = "the project's rules";
const KEYS: [&str; 3] = ["guardedTools", "staleAfterDays", "executorTimeoutMinutes"];
/// Other spellings, and the key that each means.
const ALIASES: [(&str, &str); 3] = [
    ("guarded_tools", "guardedTools"),
    ("stale_after_days", "staleAfterDays"),
    ("executor_timeout_minutes", "executorTimeoutMinutes"),
];
/// Ten years.
const DAYS: RangeInclusive<u64> = 1..=3_650;
/// A year.
const MINUTES: RangeInclusive<u64> = 1..=525_600;

/// The rules in `text`, and what is wrong with it. What can be read counts, because a rule only
/// makes something stricter.
#[must_use]
pub fn read_project_rules(text: &str) -> (ProjectRules, Vec<Fault>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut faults = Faults::default();
    let rules = read_object(text, &mut faults).map(|entries| rules(entries, &mut faults));
    (rules.unwrap_or_default(), faults.into_sorted())
}

fn read_object(text: &str, faults: &mut Faults) -> Option<Vec<Entry>> {
    let expected = "a JSON object";
    if text.trim().is_empty() {
        let kind = FaultKind::WrongType {
            what: OWNER.to_owned(),
            expected,
            found: "empty".to_owned(),
        };
        faults.add(SourceLocation::START, kind);
        return None;
    }
    let root = json_tree::read(text, faults)?;
    match root.value {
        Value::Map(entries) => Some(entries),
        _ => {
            wrong_type(&root, OWNER, expected, faults);
            None
        }
    }
}

fn rules(mut entries: Vec<Entry>, faults: &mut Faults) -> ProjectRules {
    for entry in &mut entries {
        if let Some((_, key)) = ALIASES.iter().find(|(alias, _)| *alias == entry.key) {
            entry.key = (*key).to_owned();
        }
    }
    let fields = Fields {
        owner: OWNER,
        entries: &entries,
    };
    fields.refuse_unknown(&KEYS, faults);
    ProjectRules {
        guarded_tools: guarded_tools(&fields, faults),
        stale_after_days: fields.whole_number("staleAfterDays", DAYS, faults),
        executor_timeout_minutes: fields.whole_number("executorTimeoutMinutes", MINUTES, faults),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (ProjectRules, Vec<String>) {
        let (rules, faults) = read_project_rules(text);
        let text = |fault: &Fault| format!("{}: {}", fault.at, fault.kind);
        (rules, faults.iter().map(text).collect())
    }

    #[test]
    fn rules_are_read_in_both_spellings() {
        for text in [
            r#"{"guardedTools": ["Bash"], "staleAfterDays": 3, "executorTimeoutMinutes": 20}"#,
            r#"{"guarded_tools": ["Bash"], "stale_after_days": 3, "executor_timeout_minutes": 20}"#,
        ] {
            let expected = ProjectRules {
                guarded_tools: vec!["Bash".to_owned()],
                stale_after_days: Some(3),
                executor_timeout_minutes: Some(20),
            };
            assert_eq!(read(text), (expected, vec![]));
        }
        assert_eq!(read("{}"), (ProjectRules::default(), vec![]));
    }

    #[test]
    fn faults_name_the_key_and_leave_the_other_rules() {
        let text = "{\n \"guardedTools\": [\"Bash\", \" \", 7],\n \"staleAfterDays\": \"3\",\n \
                    \"executorTimeoutMinutes\": 0,\n \"guardTools\": []\n}";
        let (rules, faults) = read(text);
        assert_eq!(rules.guarded_tools, ["Bash", "7"]);
        assert_eq!(rules.stale_after_days, None);
        assert_eq!(rules.executor_timeout_minutes, None);
        let keys = [
            "guardedTools",
            "staleAfterDays",
            "executorTimeoutMinutes",
            "guardTools",
        ];
        assert_eq!(faults.len(), keys.len(), "{faults:?}");
        for (fault, key) in faults.iter().zip(keys) {
            assert!(fault.contains(key), "{fault}");
        }
    }

    #[test]
    fn damaged_text_has_no_rules_and_a_fault() {
        for text in ["", "{", "[]", "null", "{\"guardedTools\": [}", "{} {}"] {
            let (rules, faults) = read(text);
            assert!(rules.is_empty() && faults.len() == 1, "{text}: {faults:?}");
        }
    }
}
