//! Leave that was given in runs, read from real files.

use baton_model::Grant;
use baton_model::run::{Answer, AskedCall, Command};

use crate::story::{Story, open, strands};

fn asks(story: &mut Story, answer: Answer) {
    let (node, attempt, _) = story.run.live_attempts().next().unwrap();
    let call = Some(AskedCall { tool: "Bash".to_owned(), command: Some("ls".to_owned()) });
    let (question, request) = ("Bash: ls".to_owned(), format!("{answer:?}"));
    story.command(&Command::SessionAsked { node, attempt, question, request: request.clone(), call }, &[]).unwrap();
    story.command(&Command::Answer { node, request, answer }, &[]).unwrap();
}

#[test]
fn leave_is_found_with_its_plan_and_can_be_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 1));
    let plan = story.run.plan().id;
    let (node, _, _) = story.run.live_attempts().next().unwrap();
    let grant = Grant::exact("Bash", Some("ls"));

    asks(&mut story, Answer::AllowOnce);
    assert_eq!(store.grants().list(plan).unwrap(), [], "leave for one call is nothing to keep");
    asks(&mut story, Answer::allow_node());
    let rows = store.grants().list(plan).unwrap();
    assert_eq!(
        rows.iter().map(|row| (row.of, &row.grant)).collect::<Vec<_>>(),
        [(Some((story.run.id(), node)), &grant)]
    );
    assert_eq!(store.grants().of_plan(plan).unwrap(), [], "what one node may is not for later runs");

    story.command(&Command::Revoke { grant: grant.clone(), of: Some(node) }, &[]).unwrap();
    assert_eq!(store.grants().list(plan).unwrap(), []);
    asks(&mut story, Answer::allow_plan());
    assert_eq!(store.grants().of_plan(plan).unwrap(), std::slice::from_ref(&grant));
    store.grants().take_back(plan, &grant).unwrap();
    assert_eq!(store.grants().list(plan).unwrap(), []);
}
