import { JOB_INDEX_KEY, REPLICATED_JOB_NAME_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import type { RequestedObject } from "../api-server/api-request.ts";
import type { Action } from "../scenario/scenario.ts";
import type { Chance } from "./chance.ts";

/** What a user may do who takes things into their own hands: objects of one JobSet, by their names. */
export interface OwnHands {
  readonly namespace: string;
  readonly jobSet: string;
  readonly jobs: readonly string[];
}

/** Something that users do seldom, chosen under a number. */
export function rareActionOf(
  { below, pick }: Chance,
  { namespace, jobSet, jobs }: OwnHands,
  index: number,
): Action["request"] {
  const named = (kind: string, name: string, members: object = {}): RequestedObject => ({
    kind,
    metadata: { namespace, name, ...members },
  });
  const job = pick(jobs, "rareJob", index);
  switch (below(5, "rareAction", index)) {
    case 0: {
      const propagationPolicy = pick(["Background", "Orphan"] as const, "rarePolicy", index);
      return { verb: "delete", object: named("Job", job), propagationPolicy };
    }
    case 1:
      return { verb: "delete", object: named("Service", jobSet) };
    case 2: {
      const ttlSecondsAfterFinished = pick([0, 30, null], "rareTtl", index);
      const object = { ...named("JobSet", jobSet), spec: { ttlSecondsAfterFinished } };
      return { verb: "patch", object };
    }
    default: {
      const key = pick(EDITED_LABELS, "rareLabel", index);
      const value = pick(["0", "1", "workers", null], "rareValue", index);
      return { verb: "patch", object: named("Job", job, { labels: { [key]: value } }) };
    }
  }
}

/** Labels by which a Job is told to its place. */
const EDITED_LABELS = [RESTART_ATTEMPT_KEY, REPLICATED_JOB_NAME_KEY, JOB_INDEX_KEY];
