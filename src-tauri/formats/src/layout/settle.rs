//! From a layout by itself to one beside what stays.

use super::area::{Area, Size};
use super::canvas::{Canvas, snapped_up, usable};
use super::items::Items;
use super::{Direction, GRID, NODE_HEIGHT, NODE_WIDTH, SIBLING_GAP, Wish};
use baton_model::Plan;
use baton_model::node::Position;

/// How far a selection is moved to find room, in cards each way.
const REACH: i32 = 24;

/// The places of `items`, which are at `ideal` when nothing is in the way. What is fixed has the place that it had.
pub(super) fn settle(plan: &Plan, wish: &Wish, items: &Items, ideal: &[Position]) -> Vec<Position> {
    let mut settling = Settling {
        items,
        ideal,
        direction: wish.direction,
        ground: taken(plan, wish, items),
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
        return settling.one_by_one((snapped(sum.0 / count), snapped(sum.1 / count)));
    }
    match &wish.only {
        None if items.frames.is_empty() => ideal.to_vec(),
        None => settling.one_by_one((0.0, 0.0)),
        Some(_) => settling.together(stood_at(plan, items)),
    }
}

/// What stays.
fn taken(plan: &Plan, wish: &Wish, items: &Items) -> Canvas {
    let mut ground = Canvas::default();
    items.frames.iter().for_each(|frame| ground.occupy(*frame));
    for item in &items.list {
        if let Some(at) = item.fixed {
            ground.occupy(Area {
                at,
                size: item.size,
            });
        }
    }
    if wish.only.is_some() {
        let mut stays = vec![true; plan.nodes.len()];
        items
            .list
            .iter()
            .flat_map(|item| &item.members)
            .for_each(|&(at, _)| stays[at] = false);
        for (node, _) in plan.nodes.iter().zip(stays).filter(|(_, stays)| *stays) {
            if let Some(at) = usable(node.position) {
                ground.occupy(Area {
                    at,
                    size: Size::of(node),
                });
            }
        }
    }
    ground
}

/// The upper left corner of all that is placed, before.
fn stood_at(plan: &Plan, items: &Items) -> Option<Position> {
    let members = items.list.iter().flat_map(|item| &item.members);
    let places = members.filter_map(|&(at, _)| usable(plan.nodes[at].position));
    places.reduce(|a, b| Position {
        x: a.x.min(b.x),
        y: a.y.min(b.y),
    })
}

struct Settling<'a> {
    items: &'a Items,
    ideal: &'a [Position],
    direction: Direction,
    ground: Canvas,
}

impl Settling<'_> {
    fn area(&self, number: usize, (dx, dy): (f64, f64)) -> Area {
        Area {
            at: self.ideal[number],
            size: self.items.list[number].size,
        }
        .moved(dx, dy)
    }

    /// Moves all by `offset`, and across the flow alone who would stand upon something then.
    fn one_by_one(&mut self, offset: (f64, f64)) -> Vec<Position> {
        let mut places: Vec<_> = self.items.list.iter().map(|item| item.fixed).collect();
        let (free, hit): (Vec<_>, Vec<_>) = (0..places.len())
            .filter(|&number| places[number].is_none())
            .partition(|&number| self.ground.is_free(self.area(number, offset)));
        for &number in &free {
            let area = self.area(number, offset);
            self.ground.occupy(area);
            places[number] = Some(area.at);
        }
        for number in hit {
            places[number] = Some(self.nearest_across(self.area(number, offset)));
        }
        places
            .into_iter()
            .zip(self.ideal)
            .map(|(place, ideal)| place.unwrap_or(*ideal))
            .collect()
    }

    fn nearest_across(&mut self, area: Area) -> Position {
        let step = match self.direction {
            Direction::LeftRight => (0.0, NODE_HEIGHT + SIBLING_GAP),
            Direction::TopDown => (NODE_WIDTH + SIBLING_GAP, 0.0),
        };
        // Ends because what is in the way has an end.
        let mut tries = (0..)
            .map(super::missing::offset)
            .map(|away| area.moved(away * step.0, away * step.1));
        let free = tries
            .find(|area| self.ground.is_free(*area))
            .unwrap_or(area);
        self.ground.occupy(free);
        free.at
    }

    /// Moves all alike, to where they stood or the nearest place where none of them is upon anything.
    fn together(&self, stood_at: Option<Position>) -> Vec<Position> {
        let corner =
            Area::around((0..self.ideal.len()).map(|number| self.area(number, (0.0, 0.0))));
        let Some(corner) = corner else {
            return Vec::new();
        };
        let below = Position {
            x: 0.0,
            y: self.ground.end(),
        };
        let wish = stood_at.unwrap_or(below);
        let home = (snapped(wish.x - corner.at.x), snapped(wish.y - corner.at.y));
        let shifts = shifts()
            .into_iter()
            .map(|(dx, dy)| (home.0 + dx, home.1 + dy));
        let fits = |shift: &(f64, f64)| {
            (0..self.ideal.len()).all(|at| self.ground.is_free(self.area(at, *shift)))
        };
        let last = (home.0, snapped_up(below.y - corner.at.y));
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

/// Ways to move something, the shortest first.
fn shifts() -> Vec<(f64, f64)> {
    let steps = (-REACH..=REACH).flat_map(|x| (-REACH..=REACH).map(move |y| (x, y)));
    let step = (
        snapped((NODE_WIDTH + SIBLING_GAP) / 2.0),
        snapped((NODE_HEIGHT + SIBLING_GAP) / 2.0),
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

fn snapped(coordinate: f64) -> f64 {
    (coordinate / GRID).round() * GRID
}
