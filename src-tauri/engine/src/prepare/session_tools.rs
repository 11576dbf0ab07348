//! Baton's own tools for the session of an agent node.

use baton_agents::{Adapter, ToolServer, ToolServerSupport};
use baton_model::SessionTools;
use baton_model::node::{Node, NodeKind};

use super::attempt_variables::attempt_variables;
use crate::job::Job;
use crate::session_folder::session_folder;
use crate::session_services::SessionServices;

/// The server of tools for the session that does the work of `node`; `None` if the plan or the
/// agent has none, or this installation has no `baton` command.
pub(super) fn tool_server(
    job: &Job,
    node: &Node,
    agent: &dyn Adapter,
    services: &SessionServices,
) -> Option<ToolServer> {
    let is_wanted = match (
        job.run.plan.settings.session_tools,
        agent.tool_server_support(),
    ) {
        (SessionTools::Off, _) | (_, ToolServerSupport::None) => false,
        (SessionTools::Automatic, support) => support == ToolServerSupport::CommandLine,
        (SessionTools::On, _) => true,
    };
    let baton = services.tools.baton();
    if !is_wanted || !matches!(node.kind, NodeKind::Agent(_)) || !baton.is_file() {
        return None;
    }
    let folder = session_folder(&services.data_directory, job.session);
    Some(ToolServer {
        command: baton.display().to_string(),
        args: ["mcp", "--tools", "session"].map(str::to_owned).into(),
        env: attempt_variables(job, &folder).into(),
    })
}
