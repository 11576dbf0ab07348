//! Runs a whole job: a single call, parallel calls, a loop, or a condition.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use baton_model::count::format_quantity;
use baton_model::expression::{ExpressionError, Round, Values};
use baton_model::{Expression, LoopRound};
use baton_tools::{Event, IterationText, Task, ToolCall};
use serde_json::Value;

use crate::call_error::{CallError, error_chain};
use crate::caller::ToolCaller;
use crate::iteration_call;
use crate::journal::{JobResult, Journal};
use crate::outputs;
use crate::stop::{Stop, StopReason};

/// A job's context.
#[derive(Debug)]
pub(crate) struct JobRunner<'a> {
    pub(crate) caller: &'a ToolCaller<'a>,
    pub(crate) journal: &'a Journal,
    pub(crate) stop: &'a Arc<Stop>,
}

/// A call with its number within the job.
#[derive(Debug, Clone, Copy)]
struct NumberedCall<'a> {
    call: &'a ToolCall,
    number: usize,
    iteration: Option<u32>,
}

#[derive(Debug)]
struct LoopSpec<'a> {
    call: &'a ToolCall,
    max_iterations: u32,
    condition: Option<&'a str>,
    values: &'a Values,
    texts: &'a [IterationText],
}

/// Why an iteration makes its loop fail, as a message.
struct IterationFailed(String);

impl From<String> for IterationFailed {
    fn from(words: String) -> Self {
        Self(words)
    }
}

impl JobRunner<'_> {
    /// Runs the job and returns its result.
    pub(crate) fn run(&self, task: &Task) -> JobResult {
        match task {
            Task::Call { call } => self.run_call(call),
            Task::Parallel {
                calls,
                wait_all,
                limit,
            } => self.run_parallel(calls, *wait_all, *limit),
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
                self.run_loop(&LoopSpec {
                    call,
                    max_iterations: *max_iterations,
                    condition,
                    values,
                    texts,
                })
            }
            Task::Condition { condition, values } => self.evaluate_condition(condition, values),
        }
    }

    fn run_call(&self, call: &ToolCall) -> JobResult {
        match self.make_call(NumberedCall {
            call,
            number: 1,
            iteration: None,
        }) {
            Ok(value) => JobResult {
                value: Some(value),
                ..JobResult::default()
            },
            Err(error) => failed(self.describe_error(call, &error)),
        }
    }

    fn run_parallel(&self, calls: &[ToolCall], wait_all: bool, limit: u32) -> JobResult {
        // No call is made if one of them is invalid.
        for (number, call) in (1..).zip(calls) {
            if let Err(error) = self.caller.check(call) {
                return failed(format!(
                    "call {number}: {}",
                    self.describe_error(call, &error)
                ));
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
                    while let Some((place, call)) = self.next_call(&next, calls) {
                        let result = self.make_call(NumberedCall {
                            call,
                            number: place + 1,
                            iteration: None,
                        });
                        let has_failed = result.is_err();
                        results.lock().unwrap_or_else(PoisonError::into_inner)[place] =
                            Some(result);
                        if has_failed && !wait_all {
                            self.stop.stop(StopReason::Failure);
                        }
                    }
                });
            }
        });
        self.collect_results(
            calls,
            results.into_inner().unwrap_or_else(PoisonError::into_inner),
        )
    }

    /// Returns the next unclaimed call, unless the job is stopping.
    fn next_call<'c>(
        &self,
        next: &AtomicUsize,
        calls: &'c [ToolCall],
    ) -> Option<(usize, &'c ToolCall)> {
        if self.stop.reason().is_some() {
            return None;
        }
        let place = next.fetch_add(1, Ordering::Relaxed);
        calls.get(place).map(|call| (place, call))
    }

    fn collect_results(
        &self,
        calls: &[ToolCall],
        results: Vec<Option<Result<Value, CallError>>>,
    ) -> JobResult {
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
                Some(Err(error)) => faults.push(format!(
                    "call {number}, {}",
                    self.describe_error(call, &error)
                )),
            }
            values.push(Value::Null);
        }
        let of_calls = format_quantity(calls.len(), "call", "calls");
        let failure = match (faults.len(), stopped) {
            (0, 0) => None,
            (0, _) => Some(self.describe_stop()),
            (count, 0) => Some(format!(
                "{count} of {of_calls} failed: {}",
                faults.join("; ")
            )),
            (count, _) => Some(format!(
                "{count} of {of_calls} failed and {stopped} {} stopped: {}",
                if stopped == 1 { "was" } else { "were" },
                faults.join("; ")
            )),
        };
        JobResult {
            value: Some(values.into()),
            failure,
            ..JobResult::default()
        }
    }

    fn run_loop(&self, spec: &LoopSpec<'_>) -> JobResult {
        let condition = match spec.condition.map(Expression::parse).transpose() {
            Ok(condition) => condition,
            Err(error) => return failed(error.to_string()),
        };
        if let Err(error) = self.caller.check(spec.call) {
            return failed(self.describe_error(spec.call, &error));
        }
        let round = Round {
            iteration: 0,
            result: Value::Null,
            results: Vec::new(),
        };
        let mut values = Values {
            round: Some(round),
            ..spec.values.clone()
        };
        let mut failure = None;
        let mut previous = None;
        for iteration in 1..=spec.max_iterations {
            if self.stop.reason().is_some() {
                failure = Some(self.describe_stop());
                break;
            }
            let written_before = outputs::written_length();
            let known = LoopRound {
                index: iteration,
                previous: previous.take(),
            };
            let call = match iteration_call::fill(spec.call, spec.texts, &known) {
                Ok(call) => call,
                Err(error) => {
                    failure = Some(format!("iteration {iteration}: {error}"));
                    break;
                }
            };
            if let Some(place) = iteration_call::find_path_outside_directory(
                &call,
                spec.texts,
                self.caller.directory(),
            ) {
                let fix = "write the path into the plan, so that its approval covers it";
                failure = Some(format!(
                    "iteration {iteration}: {place} is outside of the working directory: {fix}"
                ));
                break;
            }
            match self.run_iteration(&call, condition.as_ref(), iteration, &mut values) {
                Ok(true) => {
                    let result = values
                        .round
                        .as_ref()
                        .map(|round| &round.result)
                        .unwrap_or(&Value::Null);
                    previous = Some(outputs::collect_outputs(result, written_before));
                }
                Ok(false) => break,
                Err(IterationFailed(words)) => {
                    failure = Some(words);
                    break;
                }
            }
        }
        let results = values.round.map(|round| round.results).unwrap_or_default();
        let iterations = results.len().to_string();
        JobResult {
            value: Some(results.into()),
            named: vec![("iterations", iterations)],
            failure,
        }
    }

    /// Runs one iteration. Returns whether the loop continues, or why it failed.
    fn run_iteration(
        &self,
        call: &ToolCall,
        condition: Option<&Expression>,
        iteration: u32,
        values: &mut Values,
    ) -> Result<bool, IterationFailed> {
        let number = usize::try_from(iteration).unwrap_or(usize::MAX);
        let numbered = NumberedCall {
            call,
            number,
            iteration: Some(iteration),
        };
        let result = self.make_call(numbered).map_err(|error| {
            format!(
                "iteration {iteration}: {}",
                self.describe_error(call, &error)
            )
        })?;
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
        self.journal.emit(&Event::Condition {
            condition: condition.source().to_owned(),
            holds,
        });
        Ok(holds)
    }

    fn evaluate_condition(&self, condition: &str, values: &Values) -> JobResult {
        let evaluated: Result<bool, ExpressionError> =
            Expression::parse(condition).and_then(|condition| condition.evaluate(values));
        match evaluated {
            Ok(holds) => {
                self.journal.emit(&Event::Condition {
                    condition: condition.trim().to_owned(),
                    holds,
                });
                JobResult {
                    value: Some(holds.into()),
                    named: vec![("taken", holds.to_string())],
                    failure: None,
                }
            }
            Err(error) => failed(error.to_string()),
        }
    }

    /// Makes a call and emits its events.
    fn make_call(&self, numbered: NumberedCall<'_>) -> Result<Value, CallError> {
        let id = numbered.number.to_string();
        let mut args = numbered.call.tool_args.clone();
        if let Some(iteration) = numbered.iteration {
            args.insert(baton_tools::ITERATION.to_owned(), iteration.into());
        }
        let tool = numbered.call.tool_name.clone();
        self.journal.emit(&Event::Call {
            id: id.clone(),
            tool,
            args,
            iteration: numbered.iteration,
        });
        // When the job is stopping, an error is usually a consequence, such as a lost connection to
        // a stopped server.
        let result =
            self.caller
                .call(numbered.call, numbered.iteration)
                .map_err(|error| match self.stop.reason() {
                    Some(StopReason::Signal) => CallError::Stopped,
                    _ => error,
                });
        self.journal.emit(&match &result {
            Ok(value) => Event::Result {
                id,
                value: value.clone(),
            },
            Err(error) => Event::Error {
                id,
                message: error_chain(error),
            },
        });
        result
    }

    fn describe_error(&self, call: &ToolCall, error: &CallError) -> String {
        match error {
            CallError::Stopped => self.describe_stop(),
            CallError::InvalidCall(_) => error_chain(error),
            error => format!("{}: {}", call.tool_name, error_chain(error)),
        }
    }

    fn describe_stop(&self) -> String {
        match self.stop.reason() {
            Some(StopReason::Failure) => "stopped because another call failed".to_owned(),
            Some(StopReason::Signal) | None => "stopped before it finished".to_owned(),
        }
    }
}

fn failed(failure: String) -> JobResult {
    JobResult {
        failure: Some(failure),
        ..JobResult::default()
    }
}
