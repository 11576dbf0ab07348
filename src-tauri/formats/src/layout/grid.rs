//! Places nodes without links in rows.

use super::area::Size;
use super::axes::Axes;
use super::canvas::snap_up_to_grid;
use super::dimensions::{RANK_GAP, SIBLING_GAP};
use baton_model::Direction;
use baton_model::node::Position;

/// The width of the grid, relative to its height.
const WIDTH_TO_HEIGHT: f64 = 1.6;

/// Places `vertices` across the flow after all positions so far, in rows that make the grid
/// somewhat wider than high. Rows and columns are as large as their largest item.
pub(super) fn place(
    vertices: &[usize],
    sizes: &[Size],
    direction: Direction,
    places: &mut [Option<Position>],
) {
    let wanted = match direction {
        Direction::LeftRight => WIDTH_TO_HEIGHT,
        Direction::TopDown => 1.0 / WIDTH_TO_HEIGHT,
    };
    let extents: Vec<_> = vertices
        .iter()
        .map(|&vertex| sizes[vertex].along_across(direction))
        .collect();
    let (length, breadth) = extents.iter().fold((0.0, 0.0), |sum: (f64, f64), size| {
        (sum.0 + size.0, sum.1 + size.1)
    });
    let count = vertices.len() as f64;
    let (length, breadth) = (length / count + RANK_GAP, breadth / count + SIBLING_GAP);
    let in_row = (count * breadth * wanted / length).sqrt().ceil().max(1.0) as usize;
    let mut columns = vec![0.0_f64; in_row];
    for (number, (along, _)) in extents.iter().enumerate() {
        columns[number % in_row] = columns[number % in_row].max(*along);
    }
    let mut across = end(sizes, direction, places);
    for (row, of_row) in vertices.chunks(in_row).zip(extents.chunks(in_row)) {
        let mut along = 0.0;
        for (&vertex, column) in row.iter().zip(&columns) {
            places[vertex] = Some(direction.position((along, across)));
            along += snap_up_to_grid(column + RANK_GAP);
        }
        across += snap_up_to_grid(
            of_row
                .iter()
                .fold(0.0, |most: f64, (_, breadth)| most.max(*breadth))
                + SIBLING_GAP,
        );
    }
}

/// The first free coordinate across the flow, including the gap.
fn end(sizes: &[Size], direction: Direction, places: &[Option<Position>]) -> f64 {
    let placed = places
        .iter()
        .zip(sizes)
        .filter_map(|(place, size)| Some(((*place)?, size)));
    let ends = placed.map(|(at, size)| {
        direction.along_across(at).1 + size.along_across(direction).1 + SIBLING_GAP
    });
    snap_up_to_grid(ends.fold(0.0, f64::max))
}
