//! Does the whole work: one call, several at once, one again and again, or a condition.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use baton_model::expression::{ExpressionError, Round, Values};
use baton_model::{Expression, LoopRound};
use baton_tools::{Event, RoundText, Task, ToolCall};
use serde_json::Value;

use crate::call_error::{CallError, in_full};
use crate::caller::Caller;
use crate::journal::{End, Journal};
use crate::outputs;
use crate::round_call;
use crate::stop::{Stop, Why};

/// A work and who does it.
#[derive(Debug)]
pub(crate) struct Errand<'a> {
    pub(crate) caller: &'a Caller<'a>,
    pub(crate) journal: &'a Journal,
    pub(crate) stop: &'a Arc<Stop>,
}

/// One call among those of a work.
#[derive(Debug, Clone, Copy)]
struct Turn<'a> {
    call: &'a ToolCall,
    /// From 1.
    number: usize,
    iteration: Option<u32>,
}

/// A loop, as it is asked for.
#[derive(Debug)]
struct Repetition<'a> {
    call: &'a ToolCall,
    most: u32,
    condition: Option<&'a str>,
    values: &'a Values,
    texts: &'a [RoundText],
}

/// Why an iteration ends its loop badly, in words.
struct RoundFailed(String);

impl From<String> for RoundFailed {
    fn from(words: String) -> Self {
        Self(words)
    }
}

impl Errand<'_> {
    /// Does the work to its end.
    pub(crate) fn run(&self, task: &Task) -> End {
        match task {
            Task::Call { call } => self.single(call),
            Task::Parallel {
                calls,
                wait_all,
                limit,
            } => self.parallel(calls, *wait_all, *limit),
            Task::Loop {
                call,
                max_iterations,
                loop_condition,
                values,
                texts,
            } => {
                let condition = loop_condition
                    .as_deref()
                    .filter(|condition| !condition.trim().is_empty());
                self.repeat(&Repetition {
                    call,
                    most: *max_iterations,
                    condition,
                    values,
                    texts,
                })
            }
            Task::Condition { condition, values } => self.condition(condition, values),
        }
    }

    fn single(&self, call: &ToolCall) -> End {
        match self.take(Turn {
            call,
            number: 1,
            iteration: None,
        }) {
            Ok(value) => End {
                value: Some(value),
                ..End::default()
            },
            Err(error) => failed(self.named(call, &error)),
        }
    }

    fn parallel(&self, calls: &[ToolCall], wait_all: bool, limit: u32) -> End {
        // Nothing is begun when one of them cannot be made.
        for (number, call) in (1..).zip(calls) {
            if let Err(error) = self.caller.check(call) {
                return failed(format!("call {number}: {}", self.named(call, &error)));
            }
        }
        let next = AtomicUsize::new(0);
        let results: Mutex<Vec<Option<Result<Value, CallError>>>> =
            Mutex::new(calls.iter().map(|_| None).collect());
        let places = usize::try_from(limit)
            .unwrap_or(usize::MAX)
            .clamp(1, calls.len().max(1));
        thread::scope(|scope| {
            for _ in 0..places {
                scope.spawn(|| {
                    while let Some((place, call)) = self.next(&next, calls) {
                        let result = self.take(Turn {
                            call,
                            number: place + 1,
                            iteration: None,
                        });
                        let has_failed = result.is_err();
                        results.lock().unwrap_or_else(PoisonError::into_inner)[place] =
                            Some(result);
                        if has_failed && !wait_all {
                            self.stop.stop(Why::Failure);
                        }
                    }
                });
            }
        });
        self.collected(
            calls,
            results.into_inner().unwrap_or_else(PoisonError::into_inner),
        )
    }

    /// The call that nobody has taken yet, unless the work has to end.
    fn next<'c>(&self, next: &AtomicUsize, calls: &'c [ToolCall]) -> Option<(usize, &'c ToolCall)> {
        if self.stop.why().is_some() {
            return None;
        }
        let place = next.fetch_add(1, Ordering::Relaxed);
        calls.get(place).map(|call| (place, call))
    }

    fn collected(&self, calls: &[ToolCall], results: Vec<Option<Result<Value, CallError>>>) -> End {
        let mut values = Vec::with_capacity(calls.len());
        let mut faults = Vec::new();
        let mut stopped = 0;
        for ((number, call), result) in (1..).zip(calls).zip(results) {
            match result {
                Some(Ok(value)) => {
                    values.push(value);
                    continue;
                }
                Some(Err(CallError::Stopped)) | None => stopped += 1,
                Some(Err(error)) => {
                    faults.push(format!("call {number}, {}", self.named(call, &error)))
                }
            }
            values.push(Value::Null);
        }
        let failure = match (faults.len(), stopped) {
            (0, 0) => None,
            (0, _) => Some(self.stopped_words()),
            (count, 0) => Some(format!(
                "{count} of {} calls failed: {}",
                calls.len(),
                faults.join("; ")
            )),
            (count, _) => Some(format!(
                "{count} of {} calls failed, {stopped} were stopped: {}",
                calls.len(),
                faults.join("; ")
            )),
        };
        End {
            value: Some(values.into()),
            failure,
            ..End::default()
        }
    }

    fn repeat(&self, asked: &Repetition<'_>) -> End {
        let condition = match asked.condition.map(Expression::parse).transpose() {
            Ok(condition) => condition,
            Err(error) => return failed(error.to_string()),
        };
        if let Err(error) = self.caller.check(asked.call) {
            return failed(self.named(asked.call, &error));
        }
        let round = Round {
            iteration: 0,
            result: Value::Null,
            results: Vec::new(),
        };
        let mut values = Values {
            round: Some(round),
            ..asked.values.clone()
        };
        let mut failure = None;
        let mut previous = None;
        for iteration in 1..=asked.most {
            if self.stop.why().is_some() {
                failure = Some(self.stopped_words());
                break;
            }
            let written_before = outputs::written();
            let known = LoopRound {
                index: iteration,
                previous: previous.take(),
            };
            let call = match round_call::fill(asked.call, asked.texts, &known) {
                Ok(call) => call,
                Err(error) => {
                    failure = Some(format!("iteration {iteration}: {error}"));
                    break;
                }
            };
            if let Some(place) = round_call::stray(&call, asked.texts, self.caller.directory()) {
                let fix = "write the place into the plan, so that its approval names it";
                failure = Some(format!(
                    "iteration {iteration}: {place} lies outside of the working directory: {fix}"
                ));
                break;
            }
            match self.round(&call, condition.as_ref(), iteration, &mut values) {
                Ok(true) => {
                    let result = values
                        .round
                        .as_ref()
                        .map(|round| &round.result)
                        .unwrap_or(&Value::Null);
                    previous = Some(outputs::of_call(result, written_before));
                }
                Ok(false) => break,
                Err(RoundFailed(words)) => {
                    failure = Some(words);
                    break;
                }
            }
        }
        let results = values.round.map(|round| round.results).unwrap_or_default();
        let iterations = results.len().to_string();
        End {
            value: Some(results.into()),
            named: vec![("iterations", iterations)],
            failure,
        }
    }

    /// One iteration. Whether there is another, or the words for why the loop has failed.
    fn round(
        &self,
        call: &ToolCall,
        condition: Option<&Expression>,
        iteration: u32,
        values: &mut Values,
    ) -> Result<bool, RoundFailed> {
        let number = usize::try_from(iteration).unwrap_or(usize::MAX);
        let turn = Turn {
            call,
            number,
            iteration: Some(iteration),
        };
        let result = self
            .take(turn)
            .map_err(|error| format!("iteration {iteration}: {}", self.named(call, &error)))?;
        if let Some(round) = &mut values.round {
            (round.iteration, round.result) = (iteration, result.clone());
            round.results.push(result);
        }
        let Some(condition) = condition else {
            return Ok(true);
        };
        let holds = condition
            .evaluate(values)
            .map_err(|error| format!("iteration {iteration}: {error}"))?;
        self.journal.tell(&Event::Condition {
            condition: condition.source().to_owned(),
            holds,
        });
        Ok(holds)
    }

    fn condition(&self, condition: &str, values: &Values) -> End {
        let evaluated: Result<bool, ExpressionError> =
            Expression::parse(condition).and_then(|condition| condition.evaluate(values));
        match evaluated {
            Ok(holds) => {
                self.journal.tell(&Event::Condition {
                    condition: condition.trim().to_owned(),
                    holds,
                });
                End {
                    value: Some(holds.into()),
                    named: vec![("taken", holds.to_string())],
                    failure: None,
                }
            }
            Err(error) => failed(error.to_string()),
        }
    }

    /// Makes a call and tells of it.
    fn take(&self, turn: Turn<'_>) -> Result<Value, CallError> {
        let id = turn.number.to_string();
        let mut args = turn.call.tool_args.clone();
        if let Some(iteration) = turn.iteration {
            args.insert(baton_tools::ITERATION.to_owned(), iteration.into());
        }
        let tool = turn.call.tool_name.clone();
        self.journal.tell(&Event::Call {
            id: id.clone(),
            tool,
            args,
            iteration: turn.iteration,
        });
        // What the stop itself broke, such as the line to a server that ended with it, is no failure of the call.
        let result = self
            .caller
            .call(turn.call, turn.iteration)
            .map_err(|error| match self.stop.why() {
                Some(Why::Signal) => CallError::Stopped,
                _ => error,
            });
        self.journal.tell(&match &result {
            Ok(value) => Event::Result {
                id,
                value: value.clone(),
            },
            Err(error) => Event::Error {
                id,
                message: in_full(error),
            },
        });
        result
    }

    fn named(&self, call: &ToolCall, error: &CallError) -> String {
        match error {
            CallError::Stopped => self.stopped_words(),
            CallError::Mistaken(_) => in_full(error),
            error => format!("{}: {}", call.tool_name, in_full(error)),
        }
    }

    fn stopped_words(&self) -> String {
        match self.stop.why() {
            Some(Why::Failure) => "stopped because another call failed".to_owned(),
            Some(Why::Signal) | None => "stopped before the work was done".to_owned(),
        }
    }
}

fn failed(failure: String) -> End {
    End {
        failure: Some(failure),
        ..End::default()
    }
}
