use serde_json::json;

use crate::support::Ground;

#[test]
fn a_condition_says_which_branch_is_taken() {
    let values = json!({ "nodes": { "count": { "state": "done", "outputs": { "n": "5" } } } });
    for (condition, taken) in [
        ("nodes.count.outputs.n > 3", true),
        ("result:count", true),
        ("false", false),
    ] {
        let ground = Ground::new();
        let ran = ground.run(
            "condition",
            json!({ "condition": condition, "values": values }),
        );
        assert_eq!(ran.value(), taken, "{condition}");
        assert_eq!(ran.outputs, format!("result={taken}\ntaken={taken}\n"));
    }
}

#[test]
fn a_condition_without_an_answer_fails_with_its_place() {
    let ground = Ground::new();
    let ran = ground.run(
        "condition",
        json!({ "condition": "nodes.count.outputs.n > 3" }),
    );
    assert_eq!(
        ran.failure(),
        "`nodes.count.outputs.n` has no value: there is no node 'count' in this plan"
    );
    assert_eq!(ran.outputs, "");
}
