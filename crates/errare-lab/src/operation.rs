//! The trait of all operations, and the list of them.

use crate::error::LabError;
use crate::lab::Lab;
use crate::{
    AssessRequest, BuildRequest, CalibrateRequest, ChooseRequest, ClusterForecastRequest, ClusterResumeRequest,
    ClusterStatusRequest, ClusterTablesRequest, ClusterWorkRequest, CompareRequest, CompetenceScaleRequest,
    ContestRequest, CourseRequest, DrawRequest, ExperimentRequest, FindRequest, FitRequest, HonestyRequest,
    LineRequest, ListRequest, MarkovRequest, MatchRequest, PeriodsRequest, PlayRequest, PlayersRequest, PredictRequest,
    ProbeRequest, RateRequest, ReportPlayerRequest, ReportRatingsRequest, ReproduceRequest, ScreenRequest,
    SquaresRequest, StatsRequest, StrategyCompareRequest, StrategyFollowRequest, VerifyRequest, WholeGamesRequest,
    ZugzwangsRequest,
};
#[cfg(feature = "evaluate")]
use crate::{ClusterEvaluateRequest, EvaluateRequest, MergeRequest, RateGamesRequest};
use errare_work::{Cancelled, Progress, WorkFiles};
use schemars::{JsonSchema, Schema, SchemaGenerator, schema_for};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::{Mutex, PoisonError};

/// An operation: a request, and the work that makes a response of it. [`Lab::run`] runs it.
pub trait Operation: Serialize + DeserializeOwned + JsonSchema + Send + Sync {
    /// The name of the operation at every interface.
    const NAME: &'static str;

    /// A description of the operation in one line.
    const ABOUT: &'static str;

    /// Whether a server may take requests of the operation from clients.
    const EXPOSURE: Exposure;

    /// The type of the response.
    type Response: Serialize + DeserializeOwned + JsonSchema + Send;

    /// The files that the request names. [`Lab::run`] refuses requests whose outputs would replace their inputs.
    fn files(&self) -> WorkFiles {
        WorkFiles::default()
    }

    /// Does the work of the operation, on the lab's threads.
    ///
    /// # Errors
    /// If the request makes no sense, what it needs cannot be had, or the work is cancelled.
    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<Self::Response, LabError>;
}

/// Whether a server may take requests of an operation from clients.
///
/// This says what is of use to them. What keeps requests away from files is the lab's handle ([`Lab::for_clients`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// Some requests name no file, folder or program, and each is about one position or a list: once the tables exist,
    /// the answer does not take long.
    Quick,
    /// Some requests name no file, folder or program. They may go through whole endgames or many games, which can take
    /// minutes.
    Long,
    /// Every request names files, folders or programs, or is about machines that clients have no part in.
    Local,
}

impl Exposure {
    /// Whether clients may ask for the operation at all.
    #[must_use]
    pub fn is_served(self) -> bool {
        self != Exposure::Local
    }
}

/// An operation whose response is a list, of which each item can be had as soon as it is ready.
pub trait ListOperation: Operation<Response = Vec<Self::Item>> {
    /// One item of the response.
    type Item: Clone + Send;

    /// Does the work, on the lab's threads, and hands each item over as soon as it is ready.
    ///
    /// # Errors
    /// As [`Operation::perform`], and if `on_item` stops the work.
    fn perform_each(&self, lab: &Lab, progress: &dyn Progress, on_item: OnItem<'_, Self::Item>)
    -> Result<(), LabError>;
}

/// A receiver of the items of a [`ListOperation`], which may stop the work.
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

/// An operation as an entry of the list: its name, its schemas, and how to run it with JSON.
pub struct OperationInfo {
    /// The name of the operation at every interface.
    pub name: &'static str,
    /// A description of the operation in one line.
    pub about: &'static str,
    /// Whether a server may take requests of the operation from clients.
    pub exposure: Exposure,
    /// The JSON schema of the operation's request.
    pub request_schema: fn() -> Schema,
    /// The JSON schema of the operation's response.
    pub response_schema: fn() -> Schema,
    /// The schemas of the request and the response, by references to definitions that the generator collects.
    pub subschemas: fn(&mut SchemaGenerator) -> [Schema; 2],
    /// Checks that a request in JSON has the shape of its schema.
    pub check: fn(&Value) -> Result<(), LabError>,
    pub(crate) call_text: fn(&Lab, Value, &dyn Progress) -> Result<String, LabError>,
}

impl OperationInfo {
    const fn of<O: Operation>() -> OperationInfo {
        OperationInfo {
            name: O::NAME,
            about: O::ABOUT,
            exposure: O::EXPOSURE,
            request_schema: || schema_for!(O),
            response_schema: || schema_for!(O::Response),
            subschemas: |generator| [generator.subschema_for::<O>(), generator.subschema_for::<O::Response>()],
            check: |request| read::<O>(request.clone()).map(drop),
            call_text: |lab, request, progress| {
                let response = lab.run(&read::<O>(request)?, progress)?;
                serde_json::to_string(&response).map_err(|_| NO_JSON)
            },
        }
    }

    /// Finds the operation with a name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static OperationInfo> {
        OPERATIONS.iter().find(|operation| operation.name == name)
    }
}

/// The error of a response that cannot be written as JSON.
pub(crate) const NO_JSON: LabError = LabError::Internal("a response cannot be written as JSON");

/// Reads a request from a JSON value.
fn read<O: Operation>(request: Value) -> Result<O, LabError> {
    let wrong =
        |error: serde_json::Error| LabError::Shape { operation: O::NAME, reason: without_types(&error.to_string()) };
    serde_json::from_value(request).map_err(wrong)
}

/// Removes names of Rust types from a reason, as they mean nothing to whoever asks.
fn without_types(reason: &str) -> String {
    match reason.split_once("expected struct ") {
        Some((found, name)) => {
            let rest = name.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
            format!("{found}expected an object{rest}")
        }
        None => reason.to_owned(),
    }
}

/// Every operation, in the order in which help lists them.
pub static OPERATIONS: &[OperationInfo] = &[
    OperationInfo::of::<BuildRequest>(),
    OperationInfo::of::<ProbeRequest>(),
    OperationInfo::of::<SquaresRequest>(),
    OperationInfo::of::<StatsRequest>(),
    OperationInfo::of::<FindRequest>(),
    OperationInfo::of::<ZugzwangsRequest>(),
    OperationInfo::of::<VerifyRequest>(),
    OperationInfo::of::<CompareRequest>(),
    OperationInfo::of::<ListRequest>(),
    OperationInfo::of::<ChooseRequest>(),
    OperationInfo::of::<AssessRequest>(),
    OperationInfo::of::<CompetenceScaleRequest>(),
    OperationInfo::of::<MarkovRequest>(),
    OperationInfo::of::<MatchRequest>(),
    OperationInfo::of::<WholeGamesRequest>(),
    OperationInfo::of::<CourseRequest>(),
    OperationInfo::of::<DrawRequest>(),
    OperationInfo::of::<PlayRequest>(),
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
    #[cfg(feature = "evaluate")]
    OperationInfo::of::<RateGamesRequest>(),
    OperationInfo::of::<ScreenRequest>(),
    OperationInfo::of::<PlayersRequest>(),
    OperationInfo::of::<ReportRatingsRequest>(),
    OperationInfo::of::<ReportPlayerRequest>(),
    OperationInfo::of::<PeriodsRequest>(),
    OperationInfo::of::<HonestyRequest>(),
    OperationInfo::of::<ReproduceRequest>(),
    OperationInfo::of::<ExperimentRequest>(),
    OperationInfo::of::<ClusterTablesRequest>(),
    #[cfg(feature = "evaluate")]
    OperationInfo::of::<ClusterEvaluateRequest>(),
    OperationInfo::of::<ClusterStatusRequest>(),
    OperationInfo::of::<ClusterResumeRequest>(),
    OperationInfo::of::<ClusterWorkRequest>(),
    OperationInfo::of::<ClusterForecastRequest>(),
];
