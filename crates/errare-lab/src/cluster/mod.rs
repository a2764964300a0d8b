//! Operations on many machines: tables and evaluations as runs of errare-cluster.
//!
//! A run lies in a folder that all machines see. `tables` and `evaluate` plan one and start it, `status` and `resume` look
//! after it, `work` does one of its jobs, `forecast` computes how long a run would take.

#[cfg(feature = "evaluate")]
mod evaluate;
mod forecast;
#[cfg(feature = "evaluate")]
mod gather;
mod resume;
mod start;
mod status;
mod tables;
mod work;

#[cfg(feature = "evaluate")]
pub use evaluate::ClusterEvaluateRequest;
pub use forecast::{
    ClusterForecastRequest, ClusterForecastResponse, ForecastGames, ForecastOnNodes, ForecastWork, MeasuredTable,
    MeasuredTableError,
};
#[cfg(feature = "evaluate")]
pub use gather::GatherSummary;
pub use resume::{ClusterResumeRequest, ClusterResumeResponse};
pub use start::{ClusterFile, ClusterJob, ClusterRun, ClusterRunResponse, ClusterSystem};
pub use status::{ClusterJobStatus, ClusterStatusRequest, ClusterStatusResponse};
pub use tables::ClusterTablesRequest;
pub use work::{ClusterWorkRequest, ClusterWorkResponse};
