use serde_json::json;

use super::*;

fn values() -> Values {
    let node = |state: &str, outputs: &[(&str, &str)]| NodeValues {
        state: state.to_owned(),
        outputs: outputs
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect(),
        is_cut: false,
    };
    let nodes = [
        (
            "count-all",
            node(
                "done",
                &[
                    ("n", "5"),
                    ("part", "98.50"),
                    ("name", "alpha"),
                    ("some-key", "1"),
                    ("a.b", "dotted"),
                ],
            ),
        ),
        (
            "check",
            node(
                "done",
                &[(
                    "result",
                    r#"{"exitCode":0,"stdout":"3\n","files":["a","b"]}"#,
                )],
            ),
        ),
        ("ask", node("done", &[("answer", "no")])),
        (
            "choose",
            node(
                "done",
                &[("decision", "007"), ("flag", "false"), ("void", "")],
            ),
        ),
        ("fork", node("done", &[("taken", "true")])),
        ("plain", node("done", &[])),
        ("later", node("pending", &[])),
        ("broken", node("failed", &[("result", "yes")])),
    ];
    Values {
        nodes: nodes
            .into_iter()
            .map(|(slug, node)| (slug.to_owned(), node))
            .collect(),
        round: None,
    }
}

fn ask(text: &str) -> Result<bool, ExpressionError> {
    Expression::parse(text)?.evaluate(&values())
}

#[test]
fn conditions_hold_or_do_not() {
    for (text, holds) in [
        ("true", true),
        ("false", false),
        ("{{ true }}", true),
        ("result:fork", true),
        ("result:plain", true),
        ("result:ask", false),
        ("result:later", false),
        ("result:broken", false),
        ("result:nobody", false),
        ("result:count-all and not result:ask", true),
        ("not (result:fork)", false),
        ("nodes.count-all.outputs.n > 3", true),
        ("{{nodes.count-all.outputs.n > 30}}", false),
        (
            "{{nodes.count-all.outputs.n}} > 3 and {{ nodes.count-all.outputs.name }} == 'alpha'",
            true,
        ),
        ("{{nodes.count-all.outputs.n}} == '5'", true),
        ("'5' == {{nodes.count-all.outputs.n}}", true),
        ("{'a': {'b': 1}}.a.b == 1", true),
        ("10 > nodes.count-all.outputs.n", true),
        ("nodes.count-all.outputs.part >= 98.5", true),
        ("nodes['count-all'].outputs['n'] == 5", true),
        ("nodes.count-all.outputs.n == '5'", true),
        ("\"5\" == nodes.count-all.outputs.n", true),
        ("nodes.count-all.outputs.n in ['4', '5']", true),
        ("nodes.count-all.outputs.n * 2 + 1 == 11", true),
        ("nodes.count-all.outputs.n - 1 == 4", true),
        ("nodes.count-all.outputs.some-key == 1", true),
        ("nodes.count-all.outputs.a.b == 'dotted'", true),
        (
            "nodes.count-all.outputs.name == 'alpha' and nodes.count-all.state == 'done'",
            true,
        ),
        ("'lph' in nodes.count-all.outputs.name", true),
        ("nodes.count-all.outputs.name | length == 5", true),
        ("'n' in nodes.count-all.outputs", true),
        ("nodes.count-all.outputs.nothing is defined", false),
        ("nodes.count-all.outputs.nothing | default(7) > 6", true),
        ("nodes.check.result.exitCode == 0", true),
        ("nodes.check.result.stdout == '3'", true),
        ("nodes.check.result.stdout < 4", true),
        ("nodes.check.result.files[-1] == 'b'", true),
        ("nodes.check.result.files | length == 2", true),
        ("nodes.choose.result == '007'", true),
        ("nodes.choose.outputs.decision == 7", false),
        ("nodes.choose.outputs.flag", false),
        ("not nodes.choose.outputs.flag", true),
        ("nodes.choose.outputs.void", false),
        ("nodes.ask.outputs.answer", false),
        ("nodes.ask.outputs.answer == 'no'", true),
        ("'nodes.nobody.state' == 'nodes.nobody.state'", true),
        ("nodes.later.state in ['pending', 'running']", true),
        ("true or nodes.later.outputs.x", true),
    ] {
        assert_eq!(ask(text), Ok(holds), "{text}");
    }
}

#[test]
fn numbers_compare_only_with_numbers() {
    for (text, holds) in [
        ("nodes.count-all.outputs.n > '3'", true),
        ("nodes.count-all.outputs.n < '10'", true),
        ("'10' > '9'", true),
        ("'b' > 'a'", true),
        ("nodes.count-all.outputs.name > 'aardvark'", true),
        ("nodes.count-all.outputs.n ~ '' == 5", true),
        ("5 in ['4', '5']", true),
        ("5 not in ['4', '5']", false),
        ("not 5 in ['4', '5']", false),
        ("'lph' not in nodes.count-all.outputs.name", false),
        ("1 < nodes.count-all.outputs.n <= 5", true),
        ("not (1 < nodes.count-all.outputs.n < 5)", true),
        (
            "5 < nodes.count-all.outputs.n < nodes.nobody.outputs.x",
            false,
        ),
        ("nodes.count-all.outputs.name == 0", false),
        ("nodes.count-all.outputs.name != 0", true),
        ("nodes.choose.outputs.flag == 0", false),
        ("nodes.choose.outputs.flag == 'false'", true),
        ("nodes.choose.outputs.flag == false", true),
        ("nodes.fork.outputs.taken == 1", false),
        ("nodes.fork.outputs.taken in [1, 2]", false),
        ("nodes.choose.outputs.void == 0", false),
        ("nodes.count-all.outputs.n is gt 3", true),
        ("nodes.count-all.outputs.n is not gt 3", false),
        ("nodes.count-all.outputs.n is in [5]", true),
        ("nodes.count-all.outputs.n is eq('5')", true),
        (
            "['4', 7, '5'] | select('gt', 4.5) | list | length == 2",
            true,
        ),
        ("(1 if nodes.count-all.outputs.n > 3 else 2) == 1", true),
        (
            "{'a': nodes.count-all.outputs.n > 3}.a and [2 > 1][0]",
            true,
        ),
        ("'a > b' == 'a > b'", true),
        ("'not in' in ['not in']", true),
        (
            "[1, 2, 3][nodes.count-all.outputs.n - 4:] | length == 2",
            true,
        ),
    ] {
        assert_eq!(ask(text), Ok(holds), "{text}");
    }
}

#[test]
fn text_and_numbers_have_no_order() {
    let mut shown = String::new();
    for text in [
        "nodes.count-all.outputs.name > 3",
        "nodes.count-all.outputs.name < 3",
        "3 >= nodes.count-all.outputs.name",
        "{{nodes.count-all.outputs.name}} > 3",
        "nodes.count-all.outputs.n > 3 and nodes.choose.outputs.decision < 10",
        "nodes.choose.outputs.void < 1",
        "nodes.choose.outputs.flag < 1",
        "nodes.check.result.files > 1",
        "nodes.check.result.files[0] > 1",
        "nodes.check.result > 1",
        "nodes.fork.state > 1",
        "nodes.count-all.outputs.name | upper > 3",
        "(nodes.count-all.outputs.n) > 'abc'",
        "nodes.count-all.outputs.name is gt 3",
        "not nodes.count-all.outputs.name > 3",
        "1 > 2 or [nodes.count-all.outputs.name > 3]",
        "3 in 5",
    ] {
        let error = ask(text).expect_err(text);
        shown.extend([error.to_string().as_str(), "\n"]);
    }
    insta::assert_snapshot!(shown, @r"
    `nodes.count-all.outputs.name > 3` can't be evaluated: output 'name' of node 'count-all' is the text 'alpha', which `>` can't compare with the number 3
    `nodes.count-all.outputs.name < 3` can't be evaluated: output 'name' of node 'count-all' is the text 'alpha', which `<` can't compare with the number 3
    `3 >= nodes.count-all.outputs.name` can't be evaluated: output 'name' of node 'count-all' is the text 'alpha', which `>=` can't compare with the number 3
    `{{nodes.count-all.outputs.name}} > 3` can't be evaluated: output 'name' of node 'count-all' is the text 'alpha', which `>` can't compare with the number 3
    `nodes.count-all.outputs.n > 3 and nodes.choose.outputs.decision < 10` can't be evaluated: output 'decision' of node 'choose' is the text '007', which `<` can't compare with the number 10
    `nodes.choose.outputs.void < 1` can't be evaluated: output 'void' of node 'choose' is the text '', which `<` can't compare with the number 1
    `nodes.choose.outputs.flag < 1` can't be evaluated: output 'flag' of node 'choose' is the boolean false, which `<` can't compare with the number 1
    `nodes.check.result.files > 1` can't be evaluated: 'files' in the result of node 'check' is a list, which `>` can't compare with the number 1
    `nodes.check.result.files[0] > 1` can't be evaluated: 'files[0]' in the result of node 'check' is the text 'a', which `>` can't compare with the number 1
    `nodes.check.result > 1` can't be evaluated: the result of node 'check' is an object, which `>` can't compare with the number 1
    `nodes.fork.state > 1` can't be evaluated: the state of node 'fork' is the text 'done', which `>` can't compare with the number 1
    `nodes.count-all.outputs.name | upper > 3` can't be evaluated: `nodes.count-all.outputs.name | upper` is the text 'ALPHA', which `>` can't compare with the number 3
    `(nodes.count-all.outputs.n) > 'abc'` can't be evaluated: `'abc'` is the text 'abc', which `>` can't compare with the number 5
    `nodes.count-all.outputs.name is gt 3` can't be evaluated: one side is the text 'alpha', which `>` can't compare with the number 3
    `not nodes.count-all.outputs.name > 3` can't be evaluated: output 'name' of node 'count-all' is the text 'alpha', which `>` can't compare with the number 3
    `1 > 2 or [nodes.count-all.outputs.name > 3]` can't be evaluated: output 'name' of node 'count-all' is the text 'alpha', which `>` can't compare with the number 3
    `3 in 5` can't be evaluated: `5` is the number 5, which `in` can't compare with the number 3
    ");
}

#[test]
fn loop_conditions_cannot_order_text_and_numbers() {
    let round = Round {
        iteration: 2,
        result: json!({"stdout": "many\n"}),
        results: vec![json!({"stdout": "7\n"})],
    };
    let values = Values {
        round: Some(round),
        ..values()
    };
    let evaluate =
        |text: &str| Expression::parse(text).and_then(|condition| condition.evaluate(&values));
    assert_eq!(evaluate("results[-1].stdout > 6"), Ok(true));
    assert_eq!(evaluate("result.stdout == 7"), Ok(false));
    let error = evaluate("result.stdout < 8").expect_err("no order");
    insta::assert_snapshot!(error, @"`result.stdout < 8` can't be evaluated: `result.stdout` is the text 'many', which `<` can't compare with the number 8");
}

#[test]
fn loop_conditions_see_last_and_all_results() {
    let round = Round {
        iteration: 3,
        result: json!({"stdout": "7\n", "ok": true}),
        results: vec![
            json!({"stdout": "5\n"}),
            json!({"stdout": "7\n", "ok": true}),
        ],
    };
    let values = Values {
        round: Some(round),
        ..values()
    };
    for (text, holds) in [
        ("iteration < 4", true),
        ("result.ok and result.stdout < 8", true),
        ("result.stdout == '7'", true),
        ("results | length == 2", true),
        ("results[-1].ok", true),
        ("iteration < nodes.count-all.outputs.n", true),
        ("result", true),
    ] {
        assert_eq!(
            Expression::parse(text).and_then(|condition| condition.evaluate(&values)),
            Ok(holds),
            "{text}"
        );
    }
}

#[test]
fn faults_name_their_place() {
    let mut messages = String::new();
    for text in [
        "",
        "{{ }}",
        "nodes.count-all.outputs.n >",
        "nodes.count-all.outputs.n > > 3",
        "nodes",
        "nodes.a.b",
        "result:",
        "coutn > 3",
        "nodes.nobody.state == 'done'",
        "nodes.later.outputs.n > 3",
        "nodes.plain.outputs.n > 3",
        "nodes.count-all.outputs.m > 3",
        "nodes.count-all.outputs.name.more",
        "nodes.check.result.files[2] == 'c'",
        "nodes.check.result.nothing",
        "nodes.plain.result",
        "nodes.count-all.outputs.name + 1 > 3",
        "nodes.count-all.outputs.name | frobnicate",
        "result.x == 1",
        "iteration > 3",
        "_0 > 1",
        "'{{nodes.count-all.outputs.n}}' == '5'",
        "{{nodes.count-all.outputs.n > 3",
    ] {
        let error = ask(text).expect_err(text);
        messages.extend([error.to_string().as_str(), "\n"]);
    }
    insta::assert_snapshot!(messages, @r"
    the condition is empty
    the condition is empty
    `nodes.count-all.outputs.n >` is not a condition: unexpected end of input, expected expression (at character 27)
    `nodes.count-all.outputs.n > > 3` is not a condition: unexpected `>` (at character 29)
    `nodes` is not a condition: expected a node after `nodes`, as in nodes.build.state (at character 6)
    `nodes.a.b` is not a condition: a node has `nodes.a.outputs.<key>`, `nodes.a.state` and `nodes.a.result` (at character 8)
    `result:` is not a condition: expected the ID of a node after `result:` (at character 8)
    `coutn > 3` uses `coutn`, which is not defined: use nodes.<id>.outputs.<key>, nodes.<id>.state, nodes.<id>.result or result:<id>
    `nodes.nobody.state` has no value: there is no node 'nobody' in this plan
    `nodes.later.outputs.n` has no value: node 'later' is pending, not done
    `nodes.plain.outputs.n` has no value: node 'plain' wrote no outputs to $BATON_OUTPUT
    `nodes.count-all.outputs.m` has no value: node 'count-all' wrote a.b, n, name, part, some-key but not 'm'
    `nodes.count-all.outputs.name.more` has no value: it is text, which has no fields
    `nodes.check.result.files[2]` has no value: it has 2 items, but none at index 2
    `nodes.check.result.nothing` has no value: it has no 'nothing'
    `nodes.plain.result` has no value: node 'plain' wrote no outputs to $BATON_OUTPUT
    `nodes.count-all.outputs.name + 1 > 3` can't be evaluated: tried to use + operator on unsupported types string and number (at character 1)
    `nodes.count-all.outputs.name | frobnicate` can't be evaluated: filter frobnicate is unknown (at character 32)
    `result.x` has no value: only the condition of a loop has a result
    `iteration > 3` can't be evaluated: `iteration` is undefined (at character 1)
    `_0 > 1` is not a condition: names can't begin with `_` (at character 1)
    `'{{nodes.count-all.outputs.n}}' == '5'` is not a condition: references don't work inside quotes; remove the quotes (at character 1)
    `{{nodes.count-all.outputs.n > 3` is not a condition: unexpected end of input, expected `)` (at character 31)
    ");
}

#[test]
fn referenced_nodes_are_returned() {
    let condition = Expression::parse(
        "result:a-b or nodes.c_d.outputs.x-y > 1 and nodes['e'].state == 'nodes.f.state'",
    );
    let condition = condition.expect("a condition");
    assert_eq!(
        condition.slugs().into_iter().collect::<Vec<_>>(),
        ["a-b", "c_d", "e"]
    );
}

#[test]
fn values_round_trip_through_json() {
    let read: Values =
        serde_json::from_value(json!({"nodes": {"a": {"state": "done", "outputs": {"n": "1"}}}}))
            .expect("values");
    assert_eq!(
        Expression::parse("nodes.a.outputs.n == 1")
            .expect("a condition")
            .evaluate(&read),
        Ok(true)
    );
    assert_eq!(
        serde_json::from_value::<Values>(json!({})).expect("nothing is fine"),
        Values::default()
    );
}

proptest::proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in "[nodesrult.:'\"\\[\\]{}()|~<>=!ab0-9 é-]{0,40}") {
        // Any input gives a result or an error, and positions in errors are within the text.
        if let Err(ExpressionError::Syntax { at, source_text, .. } | ExpressionError::NoAnswer { at, source_text, .. }) = ask(&text) {
            proptest::prop_assert!(at <= source_text.chars().count() + 1);
        }
    }
}
