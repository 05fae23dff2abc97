export {
  AGENT_FIELD_MANAGER,
  AGENT_START,
  type AgentAction,
  type AgentState,
  type AgentStep,
  type AnnounceAction,
  agentActionAfterLift,
  agentActionOnSignal,
  agentStep,
  agentStepAfterAnnouncing,
  type BarrierLift,
  type LiftResult,
} from "./agent/in-place-restart-agent.ts";
export {
  AGENT_NAMESPACE_FILE,
  type AgentConfiguration,
  type AgentConfigurationError,
  type AgentRole,
  agentConfiguration,
  workerInvocation,
} from "./agent/in-place-restart-agent-configuration.ts";
