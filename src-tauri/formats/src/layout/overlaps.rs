//! Fits a layout in beside nodes that stay in place.

use super::area::{Area, Size};
use super::canvas::{Canvas, snap_up_to_grid, valid_position};
use super::dimensions::{GRID, NODE_HEIGHT, NODE_WIDTH, SIBLING_GAP};
use super::items::Items;
use super::layout_options::LayoutOptions;
use baton_model::Direction;
use baton_model::Plan;
use baton_model::node::Position;

/// How far a selection is moved to find room, in cards in each direction.
const SEARCH_RADIUS: i32 = 24;

/// The positions of `items`, which are `ideal` if nothing is in the way. Fixed items keep their
/// positions.
pub(super) fn resolve_overlaps(
    plan: &Plan,
    options: &LayoutOptions,
    items: &Items,
    ideal: &[Position],
) -> Vec<Position> {
    let mut resolver = OverlapResolver {
        items,
        ideal,
        direction: options.direction,
        occupied: occupied_area(plan, options, items),
    };
    let fixed = items
        .list
        .iter()
        .zip(ideal)
        .filter_map(|(item, ideal)| Some((item.fixed?, *ideal)));
    let fixed: Vec<_> = fixed.collect();
    if !fixed.is_empty() {
        let count = fixed.len() as f64;
        let sum = fixed.iter().fold((0.0, 0.0), |sum, (at, ideal)| {
            (sum.0 + at.x - ideal.x, sum.1 + at.y - ideal.y)
        });
        return resolver.shift_each((snap_to_grid(sum.0 / count), snap_to_grid(sum.1 / count)));
    }
    match &options.only {
        None if items.frames.is_empty() => ideal.to_vec(),
        None => resolver.shift_each((0.0, 0.0)),
        Some(_) => resolver.shift_all(previous_corner(plan, items)),
    }
}

fn occupied_area(plan: &Plan, options: &LayoutOptions, items: &Items) -> Canvas {
    let mut occupied = Canvas::default();
    items
        .frames
        .iter()
        .for_each(|frame| occupied.occupy(*frame));
    for item in &items.list {
        if let Some(at) = item.fixed {
            occupied.occupy(Area {
                at,
                size: item.size,
            });
        }
    }
    if options.only.is_some() {
        let mut stays = vec![true; plan.nodes.len()];
        items
            .list
            .iter()
            .flat_map(|item| &item.members)
            .for_each(|&(at, _)| stays[at] = false);
        for (node, _) in plan.nodes.iter().zip(stays).filter(|(_, stays)| *stays) {
            if let Some(at) = valid_position(node.position) {
                occupied.occupy(Area {
                    at,
                    size: Size::for_node(node),
                });
            }
        }
    }
    occupied
}

/// The upper left corner of all placed items, before the layout.
fn previous_corner(plan: &Plan, items: &Items) -> Option<Position> {
    let members = items.list.iter().flat_map(|item| &item.members);
    let places = members.filter_map(|&(at, _)| valid_position(plan.nodes[at].position));
    places.reduce(|a, b| Position {
        x: a.x.min(b.x),
        y: a.y.min(b.y),
    })
}

struct OverlapResolver<'a> {
    items: &'a Items,
    ideal: &'a [Position],
    direction: Direction,
    occupied: Canvas,
}

impl OverlapResolver<'_> {
    fn area(&self, number: usize, (dx, dy): (f64, f64)) -> Area {
        Area {
            at: self.ideal[number],
            size: self.items.list[number].size,
        }
        .translated(dx, dy)
    }

    /// Moves all by `offset`. Items that would overlap are moved further, across the flow.
    fn shift_each(&mut self, offset: (f64, f64)) -> Vec<Position> {
        let mut places: Vec<_> = self.items.list.iter().map(|item| item.fixed).collect();
        let (free, hit): (Vec<_>, Vec<_>) = (0..places.len())
            .filter(|&number| places[number].is_none())
            .partition(|&number| self.occupied.is_free(self.area(number, offset)));
        for &number in &free {
            let area = self.area(number, offset);
            self.occupied.occupy(area);
            places[number] = Some(area.at);
        }
        for number in hit {
            places[number] = Some(self.nearest_free_position(self.area(number, offset)));
        }
        places
            .into_iter()
            .zip(self.ideal)
            .map(|(place, ideal)| place.unwrap_or(*ideal))
            .collect()
    }

    fn nearest_free_position(&mut self, area: Area) -> Position {
        let step = match self.direction {
            Direction::LeftRight => (0.0, NODE_HEIGHT + SIBLING_GAP),
            Direction::TopDown => (NODE_WIDTH + SIBLING_GAP, 0.0),
        };
        // Terminates because the obstacles are finite.
        let mut tries = (0..)
            .map(super::missing_positions::offset)
            .map(|away| area.translated(away * step.0, away * step.1));
        let free = tries
            .find(|area| self.occupied.is_free(*area))
            .unwrap_or(area);
        self.occupied.occupy(free);
        free.at
    }

    /// Moves all by the same offset, to their former position or the nearest one without overlaps.
    fn shift_all(&self, previous_corner: Option<Position>) -> Vec<Position> {
        let corner =
            Area::bounding((0..self.ideal.len()).map(|number| self.area(number, (0.0, 0.0))));
        let Some(corner) = corner else {
            return Vec::new();
        };
        let below = Position {
            x: 0.0,
            y: self.occupied.next_free_y(),
        };
        let preferred = previous_corner.unwrap_or(below);
        let home = (
            snap_to_grid(preferred.x - corner.at.x),
            snap_to_grid(preferred.y - corner.at.y),
        );
        let shifts = shifts()
            .into_iter()
            .map(|(dx, dy)| (home.0 + dx, home.1 + dy));
        let fits = |shift: &(f64, f64)| {
            (0..self.ideal.len()).all(|at| self.occupied.is_free(self.area(at, *shift)))
        };
        let last = (home.0, snap_up_to_grid(below.y - corner.at.y));
        let (dx, dy) = shifts.into_iter().find(fits).unwrap_or(last);
        self.ideal
            .iter()
            .map(|at| Position {
                x: at.x + dx,
                y: at.y + dy,
            })
            .collect()
    }
}

/// Offsets to try, the shortest first.
fn shifts() -> Vec<(f64, f64)> {
    let steps = (-SEARCH_RADIUS..=SEARCH_RADIUS)
        .flat_map(|x| (-SEARCH_RADIUS..=SEARCH_RADIUS).map(move |y| (x, y)));
    let step = (
        snap_to_grid((NODE_WIDTH + SIBLING_GAP) / 2.0),
        snap_to_grid((NODE_HEIGHT + SIBLING_GAP) / 2.0),
    );
    let mut shifts: Vec<_> = steps
        .map(|(x, y)| (f64::from(x) * step.0, f64::from(y) * step.1))
        .collect();
    shifts.sort_by(|a, b| {
        (a.0.hypot(a.1))
            .total_cmp(&b.0.hypot(b.1))
            .then(b.1.total_cmp(&a.1))
            .then(b.0.total_cmp(&a.0))
    });
    shifts
}

fn snap_to_grid(coordinate: f64) -> f64 {
    (coordinate / GRID).round() * GRID
}
