export {
  type AgentAction,
  type AgentState,
  agentActionAfterRelease,
  agentStep,
  agentStepAfterAnnounce,
  type BarrierRelease,
  type BarrierReleaseResult,
  INITIAL_AGENT_STATE,
} from "./agent/in-place-restart-agent.ts";
export {
  type AgentConfiguration,
  agentConfiguration,
} from "./agent/in-place-restart-agent-configuration.ts";
