use serde_json::json;

use crate::support::TestWorkspace;

#[test]
fn condition_reports_branch() {
    let values = json!({ "nodes": { "count": { "state": "done", "outputs": { "n": "5" } } } });
    for (condition, taken) in [
        ("nodes.count.outputs.n > 3", true),
        ("result:count", true),
        ("false", false),
    ] {
        let workspace = TestWorkspace::new();
        let ran = workspace.run(
            "condition",
            json!({ "condition": condition, "values": values }),
        );
        assert_eq!(ran.value(), taken, "{condition}");
        assert_eq!(ran.outputs, format!("result={taken}\ntaken={taken}\n"));
    }
}

#[test]
fn unanswerable_condition_fails_with_position() {
    let workspace = TestWorkspace::new();
    let ran = workspace.run(
        "condition",
        json!({ "condition": "nodes.count.outputs.n > 3" }),
    );
    assert_eq!(
        ran.failure(),
        "`nodes.count.outputs.n` has no value: there is no node 'count' in this plan"
    );
    assert_eq!(ran.outputs, "");
}
