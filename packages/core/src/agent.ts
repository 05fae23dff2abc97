export {
  AGENT_START,
  type AgentAction,
  type AgentState,
  agentActionAfterLift,
  agentStep,
  agentStepAfterAnnouncing,
  type BarrierLift,
  type LiftResult,
} from "./agent/in-place-restart-agent.ts";
export {
  type AgentConfiguration,
  type AgentRole,
  agentConfiguration,
} from "./agent/in-place-restart-agent-configuration.ts";
