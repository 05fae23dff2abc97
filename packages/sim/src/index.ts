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
export { chromeTrace } from "./history/chrome-trace.ts";
export { differenceLines } from "./history/difference.ts";
export { entryOfViolation, type HistoryEntry, historyOf } from "./history/history.ts";
export { foldTexts } from "./history/indexed-text.ts";
export { summaryText } from "./history/summary-text.ts";
export { timelinePage } from "./history/timeline-page.ts";
export { timelineText } from "./history/timeline-text.ts";
export { type Trace, type TraceSettings, traceOf } from "./history/trace.ts";
export { OpenPass } from "./jobset-controller/open-pass.ts";
export { type Controller, controllerOfPlans } from "./jobset-controller/pass-run.ts";
export type { WorkloadRule } from "./kubelet/workload.ts";
export { restOracles } from "./oracles/at-rest.ts";
export { livenessOracles, safetyOracles } from "./oracles/judge.ts";
export type { Violation } from "./oracles/oracle.ts";
export { outcomeOf } from "./oracles/outcome.ts";
export { type Fault, faultNames } from "./scenario/fault.ts";
export { type Played, play, playAsync } from "./scenario/play.ts";
export type { PlaySettings } from "./scenario/play-settings.ts";
export type { Action, Scenario } from "./scenario/scenario.ts";
export { wholeLife } from "./scenario/whole-life.ts";
export { type WriteCost, type WriteOperation, writeCost } from "./write-cost/write-cost.ts";
