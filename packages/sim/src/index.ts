export type {
  ApiRefusal,
  ApiReply,
  ApiRequest,
  RequestedObject,
} from "./api-server/api-request.ts";
export { endsAsWithoutFaults } from "./explore/ends-as-without-faults.ts";
export { type Explored, explore, type Found } from "./explore/explore.ts";
export { BLOCK_SIZE, type Exploration, exploreInBlocks } from "./explore/explore-in-blocks.ts";
export { randomScenario } from "./explore/random-scenario.ts";
export { shrink, shrinkAsync } from "./explore/shrink.ts";
export { singleFaults } from "./explore/single-faults.ts";
export { OpenPass } from "./jobset-controller/open-pass.ts";
export { type Controller, controllerOfPlans } from "./jobset-controller/pass-run.ts";
export type { WorkloadRule } from "./kubelet/workload.ts";
export { restOracles } from "./oracles/at-rest.ts";
export { livenessOracles, safetyOracles } from "./oracles/judge.ts";
export type { Violation } from "./oracles/oracle.ts";
export { type Fault, faultNames } from "./scenario/fault.ts";
export { type Played, play, playAsync } from "./scenario/play.ts";
export type { PlaySettings } from "./scenario/play-settings.ts";
export type { Action, Scenario } from "./scenario/scenario.ts";
export { wholeLife } from "./scenario/whole-life.ts";
export { type WriteCost, type WriteOperation, writeCost } from "./write-cost/write-cost.ts";
