export type {
  RequestedObject,
  ServerReply,
  ServerRequest,
} from "./api-server/api-request.ts";
export { type ExplorationResult, explore, type FailingScenario } from "./explore/explore.ts";
export {
  BATCH_SIZE,
  type ExplorationOptions,
  exploreInBatches,
} from "./explore/explore-in-blocks.ts";
export { findFaultDependentOutcomes } from "./explore/fault-dependent-outcomes.ts";
export { randomScenario } from "./explore/random-scenario.ts";
export { shrink, shrinkAsync } from "./explore/shrink.ts";
export {
  type SingleFaultLaw,
  singleFaultsDoNotChangeTheOutcome,
} from "./explore/single-fault-law.ts";
export { singleFaults } from "./explore/single-faults.ts";
export { AsyncReconcile } from "./jobset-controller/async-reconcile.ts";
export { createSimController, type SimController } from "./jobset-controller/pass-run.ts";
export type { WorkloadRule } from "./kubelet/workload.ts";
export { foreignControllerLaws, livenessLaws, safetyLaws } from "./laws/judge.ts";
export type { LawStatement, LawViolation } from "./laws/law.ts";
export { steadyStateLaws } from "./laws/steady-state-laws.ts";
export { type Fault, faultNames } from "./scenario/fault.ts";
export type { Scenario, UserAction } from "./scenario/scenario.ts";
export { scenarioForJobSets } from "./scenario/scenario-for-jobsets.ts";
export { type SimulationResult, simulate, simulateAsync } from "./scenario/simulate.ts";
export type { SimulationOptions } from "./scenario/simulation-options.ts";
export { type WriteCost, type WriteOperation, writeCost } from "./write-cost/write-cost.ts";
