//! What every operation is, and the list of all of them.

use crate::error::LabError;
use crate::lab::Lab;
use crate::{
    AssessRequest, BuildRequest, CalibrateRequest, ChooseRequest, CompareRequest, ContestRequest, FitRequest,
    LineRequest, ListRequest, MarkovRequest, MatchRequest, PlayersRequest, PredictRequest, ProbeRequest, RateRequest,
    ReportPlayerRequest, ReportRatingsRequest, ScreenRequest, StatsRequest, StrategyCompareRequest,
    StrategyFollowRequest, VerifyRequest, ZugzwangsRequest,
};
#[cfg(feature = "evaluate")]
use crate::{EvaluateRequest, MergeRequest};
use errare_work::{Cancelled, Progress};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::{Mutex, PoisonError};

/// A request, and how it becomes a response. [`Lab::run`] runs it.
pub trait Operation: Serialize + DeserializeOwned + JsonSchema + Send + Sync {
    /// The name of the operation at every door.
    const NAME: &'static str;

    /// What it does, in one line.
    const ABOUT: &'static str;

    /// Which of its requests a server may take from clients.
    const EXPOSURE: Exposure;

    /// What it gives.
    type Response: Serialize + DeserializeOwned + JsonSchema + Send;

    /// Does the work, on the lab's threads.
    ///
    /// # Errors
    /// If the request makes no sense, what it needs cannot be had, or the work is cancelled.
    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<Self::Response, LabError>;
}

/// Which requests of an operation a server may take from clients: none that names a file, a folder or a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// All requests.
    Open,
    /// Requests without these fields, wherever they would stand in the JSON. Null counts as absent.
    Without(&'static [&'static str]),
    /// No requests.
    Local,
}

/// An operation whose response is a list, each item of which can be had as soon as it is there.
pub trait ListOperation: Operation<Response = Vec<Self::Item>> {
    /// One item of the response.
    type Item: Clone + Send;

    /// Does the work, on the lab's threads, and hands each item over as soon as it is there.
    ///
    /// # Errors
    /// As [`Operation::perform`], and if `on_item` stops the work.
    fn perform_each(&self, lab: &Lab, progress: &dyn Progress, on_item: OnItem<'_, Self::Item>)
    -> Result<(), LabError>;
}

/// Receives the items of a [`ListOperation`], and may stop it.
pub type OnItem<'a, T> = &'a (dyn Fn(&T) -> Result<(), Cancelled> + Sync);

/// Collects the items of an operation into its response.
pub(crate) fn collect<O: ListOperation>(
    request: &O,
    lab: &Lab,
    progress: &dyn Progress,
) -> Result<Vec<O::Item>, LabError> {
    let items = Mutex::new(Vec::new());
    request.perform_each(lab, progress, &|item| {
        items.lock().unwrap_or_else(PoisonError::into_inner).push(item.clone());
        Ok(())
    })?;
    Ok(items.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// An operation as a list has it: its name, its schemas, and how to run it with JSON.
pub struct OperationInfo {
    /// The name at every door.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Which of its requests a server may take from clients.
    pub exposure: Exposure,
    /// The JSON schema of its request.
    pub request_schema: fn() -> Schema,
    /// The JSON schema of its response.
    pub response_schema: fn() -> Schema,
    pub(crate) call: fn(&Lab, Value, &dyn Progress) -> Result<Value, LabError>,
}

impl OperationInfo {
    const fn of<O: Operation>() -> OperationInfo {
        OperationInfo {
            name: O::NAME,
            about: O::ABOUT,
            exposure: O::EXPOSURE,
            request_schema: || schema_for!(O),
            response_schema: || schema_for!(O::Response),
            call: |lab, request, progress| {
                let wrong =
                    |error: serde_json::Error| LabError::Shape { operation: O::NAME, reason: error.to_string() };
                let request: O = serde_json::from_value(request).map_err(wrong)?;
                let response = lab.run(&request, progress)?;
                serde_json::to_value(response).map_err(|_| LabError::Internal("a response that is no JSON"))
            },
        }
    }

    /// Checks that a server may take this request from a client.
    ///
    /// # Errors
    /// [`LabError::NotExposed`] if it may name a file, a folder or a program.
    pub fn check_exposed(&self, request: &Value) -> Result<(), LabError> {
        let refused = |field| Err(LabError::NotExposed { operation: self.name, field });
        match self.exposure {
            Exposure::Open => Ok(()),
            Exposure::Without(fields) => {
                fields.iter().find(|field| has_field(request, field)).map_or(Ok(()), |field| refused(Some(*field)))
            }
            Exposure::Local => refused(None),
        }
    }

    /// The operation of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static OperationInfo> {
        OPERATIONS.iter().find(|operation| operation.name == name)
    }
}

/// Whether an object anywhere in a value has a field of this name that is not null.
fn has_field(value: &Value, name: &str) -> bool {
    match value {
        Value::Object(fields) => {
            fields.get(name).is_some_and(|value| !value.is_null())
                || fields.values().any(|value| has_field(value, name))
        }
        Value::Array(items) => items.iter().any(|value| has_field(value, name)),
        _ => false,
    }
}

/// Every operation, in the order in which help lists them.
pub static OPERATIONS: &[OperationInfo] = &[
    OperationInfo::of::<BuildRequest>(),
    OperationInfo::of::<ProbeRequest>(),
    OperationInfo::of::<StatsRequest>(),
    OperationInfo::of::<ZugzwangsRequest>(),
    OperationInfo::of::<VerifyRequest>(),
    OperationInfo::of::<CompareRequest>(),
    OperationInfo::of::<ListRequest>(),
    OperationInfo::of::<ChooseRequest>(),
    OperationInfo::of::<AssessRequest>(),
    OperationInfo::of::<MarkovRequest>(),
    OperationInfo::of::<MatchRequest>(),
    OperationInfo::of::<ContestRequest>(),
    OperationInfo::of::<PredictRequest>(),
    OperationInfo::of::<LineRequest>(),
    OperationInfo::of::<StrategyFollowRequest>(),
    OperationInfo::of::<StrategyCompareRequest>(),
    #[cfg(feature = "evaluate")]
    OperationInfo::of::<EvaluateRequest>(),
    #[cfg(feature = "evaluate")]
    OperationInfo::of::<MergeRequest>(),
    OperationInfo::of::<FitRequest>(),
    OperationInfo::of::<CalibrateRequest>(),
    OperationInfo::of::<RateRequest>(),
    OperationInfo::of::<ScreenRequest>(),
    OperationInfo::of::<PlayersRequest>(),
    OperationInfo::of::<ReportRatingsRequest>(),
    OperationInfo::of::<ReportPlayerRequest>(),
];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn servers_take_no_request_that_names_files() {
        let probe = OperationInfo::find("probe").expect("an operation");
        let fen = "8/8/8/8/8/2k5/1R6/K7 w";
        assert!(probe.check_exposed(&json!({"fen": fen, "source": null})).is_ok());
        for request in [json!({"fen": fen, "source": "syzygy:/"}), json!([{"inner": {"source": "syzygy:/"}}])] {
            let error = probe.check_exposed(&request).expect_err("refused");
            assert!(matches!(error, LabError::NotExposed { operation: "probe", field: Some("source") }), "{error}");
        }
        let rate = OperationInfo::find("rate").expect("an operation");
        assert!(rate.check_exposed(&json!({})).is_err());
    }

    /// A field that is named like a path must not go unnoticed.
    #[test]
    fn open_operations_have_no_fields_for_paths() {
        for operation in OPERATIONS.iter().filter(|operation| operation.exposure == Exposure::Open) {
            let schema = serde_json::to_value((operation.request_schema)()).expect("JSON");
            for field in ["files", "source", "sources", "with", "out", "calibration", "engine", "pgn", "path", "cache"]
            {
                assert!(!has_field(&schema["properties"], field), "{}: {field}", operation.name);
            }
        }
    }
}
