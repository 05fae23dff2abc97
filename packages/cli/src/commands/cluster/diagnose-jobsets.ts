import { type Diagnosis, diagnose, indexCluster } from "@jobset-ts/diagnose";
import type { Progress } from "../../output/progress.ts";
import { clusterChecks } from "./cluster-checks.ts";
import type { Dump, JobSetSelection } from "./dump.ts";

/** Yields one diagnosis at a time, because the diagnosis of a large JobSet is large, too. */
export function* diagnoseJobSets(
  jobSets: JobSetSelection["jobSets"],
  { snapshot, now, quirks }: Pick<Dump, "snapshot" | "now" | "quirks">,
  progress: Progress | undefined,
): Generator<Diagnosis, void, undefined> {
  const facts = indexCluster(snapshot);
  for (const [index, jobSet] of jobSets.entries()) {
    progress?.(`explaining ${index + 1} of ${jobSets.length} JobSets`);
    yield diagnose(snapshot, jobSet, { now, quirks, checks: clusterChecks }, facts);
  }
}
