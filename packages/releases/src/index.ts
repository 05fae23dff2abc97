export { type Behavior, behaviors } from "./behaviors.ts";
export {
  type DetectReleaseResult,
  detectRelease,
  type ReleaseEvidence,
} from "./detect-release.ts";
export { type FindReleaseResult, findRelease, type Release, release } from "./release.ts";
export { type ReleaseName, releases, type SupportedRelease } from "./releases.ts";
