//! Random graphs whose nodes each write their own files: in any graph, the last node has them all.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::super::{
    MergeBackOutcome, MergeBackRequest, merge_back, preview_merge_back, undo_merge_back,
};
use super::test_environment::{TestEnvironment, write};

proptest! {
    // Each case runs some dozen git processes.
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn last_node_contains_all_work(
        edges in proptest::collection::vec((0..6_usize, 0..6_usize), 0..12),
        shared in proptest::collection::vec(any::<bool>(), 6),
        alone in any::<bool>(),
    ) {
        let mut env = TestEnvironment::committed(7, &[("base.txt", "base\n")]);
        let pairs: BTreeSet<(usize, usize)> =
            edges.into_iter().filter(|(parent, child)| parent < child).chain((0..6).map(|node| (node, 6))).collect();
        pairs.iter().for_each(|&(parent, child)| env.edge(parent, child));
        (0..6).filter(|&node| shared[node] && !alone).for_each(|node| env.share(node));
        for number in 0..6 {
            env.run(number, |tree| write(tree, &format!("made/by {number}.txt"), format!("{number}\n")));
        }
        env.run(6, |_| {});
        prop_assert_eq!(env.read_in(6, "base.txt"), Some("base\n".to_owned()));
        for number in 0..6 {
            let made = env.read_in(6, &format!("made/by {number}.txt"));
            prop_assert_eq!(made, Some(format!("{number}\n")), "{:?}, shared {:?}", pairs, shared);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]
    #[test]
    fn all_work_is_merged_back_and_undone(
        edges in proptest::collection::vec((0..5_usize, 0..5_usize), 0..8),
        chosen in proptest::collection::vec(any::<bool>(), 5),
        late in any::<bool>(),
    ) {
        let mut env = TestEnvironment::committed(5, &[("base.txt", "base\n")]);
        let pairs: BTreeSet<(usize, usize)> = edges.into_iter().filter(|(parent, child)| parent < child).collect();
        pairs.iter().for_each(|&(parent, child)| env.edge(parent, child));
        let file = |number: usize| format!("made/by {number}.txt");
        for number in 0..5 {
            env.run(number, |tree| write(tree, &file(number), format!("{number}\n")));
        }
        if late {
            env.write("base.txt", "changed by the person\n");
        }
        let base = env.read("base.txt");
        let act = |number: u128| baton_model::SessionId(uuid::Uuid::from_u128(5000 + number));
        let some: BTreeSet<_> = (0..5).filter(|&number| chosen[number]).map(|number| env.plan.nodes[number].id).collect();
        let first = MergeBackRequest { act: act(1), nodes: Some(some.clone()), branch: None, resolution: None };
        let run = env.as_run();
        if !some.is_empty() {
            let outcome = merge_back(&run, &env.data(), &first).expect("no conflict");
            prop_assert!(matches!(outcome, MergeBackOutcome::Directory(_)));
        }
        for number in (0..5).filter(|&number| chosen[number]) {
            prop_assert!(env.read(&file(number)).is_some(), "{} of {:?} in {:?}", number, chosen, pairs);
        }
        // The rest, if there is any; then everything is merged, and nothing twice.
        let rest = MergeBackRequest { act: act(2), nodes: None, ..first };
        let came_again = merge_back(&run, &env.data(), &rest).is_ok();
        prop_assert!((0..5).all(|number| env.read(&file(number)).is_some()), "{:?} in {:?}", chosen, pairs);
        prop_assert_eq!(env.read("base.txt"), base.clone());
        for (number, was_brought) in [(2, came_again), (1, !some.is_empty())] {
            let back = undo_merge_back(&run, &env.data(), &act(number).to_string());
            prop_assert_eq!(back.is_ok(), was_brought, "{:?}", back);
        }
        prop_assert!((0..5).all(|number| env.read(&file(number)).is_none()), "{:?} in {:?}", chosen, pairs);
        prop_assert_eq!(env.read("base.txt"), base);
        let seen = preview_merge_back(&run, &env.data(), None).expect("git works").expect("nodes are isolated");
        prop_assert_eq!(seen.files.len(), 5, "all of it is isolated again");
    }
}
