//! Random graphs whose nodes each write files of their own: whatever the graph, the last node has them all.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::house::{House, write};

proptest! {
    // Each case is some dozen processes of git.
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn the_last_node_has_what_all_nodes_wrote(
        edges in proptest::collection::vec((0..6_usize, 0..6_usize), 0..12),
        shared in proptest::collection::vec(any::<bool>(), 6),
        alone in any::<bool>(),
    ) {
        let mut house = House::committed(7, &[("base.txt", "base\n")]);
        let pairs: BTreeSet<(usize, usize)> =
            edges.into_iter().filter(|(parent, child)| parent < child).chain((0..6).map(|node| (node, 6))).collect();
        pairs.iter().for_each(|&(parent, child)| house.edge(parent, child));
        (0..6).filter(|&node| shared[node] && !alone).for_each(|node| house.share(node));
        for number in 0..6 {
            house.run(number, |tree| write(tree, &format!("made/by {number}.txt"), format!("{number}\n")));
        }
        house.run(6, |_| {});
        prop_assert_eq!(house.read_in(6, "base.txt"), Some("base\n".to_owned()));
        for number in 0..6 {
            let made = house.read_in(6, &format!("made/by {number}.txt"));
            prop_assert_eq!(made, Some(format!("{number}\n")), "{:?}, shared {:?}", pairs, shared);
        }
    }
}
