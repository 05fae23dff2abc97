export { type Behavior, behaviors } from "./behaviors.ts";
export {
  type DetectReleaseResult,
  detectRelease,
  type ReleaseEvidence,
} from "./detect-release.ts";
export { findRelease, type Release, release } from "./release.ts";
export { type ReleaseName, releases } from "./releases.ts";
