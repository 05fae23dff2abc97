import type { FeatureGates, JobSet, ToCreate, Unvalidated } from "@jobset-ts/api";
import { getSubdomain, resolveFeatureGates } from "@jobset-ts/api";
import { getName, type Job } from "@jobset-ts/api/kubernetes";
import { createJobFactories } from "@jobset-ts/core/desired";
import type { WorkloadRule } from "../kubelet/workload.ts";
import { withFaultsThatHappen } from "../scenario/fault-subject.ts";
import type { Scenario, UserAction } from "../scenario/scenario.ts";
import { type Cast, createFault } from "./random-fault.ts";
import { chooseAction } from "./random-user-action.ts";
import type { Domain } from "./rare-faults.ts";
import { deletesJobSet } from "./scenario-edits.ts";
import { createSeededRandom } from "./seeded-random.ts";

/** The maximum number of domains that faults use. */
const MAX_DOMAINS = 20;

/** The maximum number of Jobs that faults name. More would cause nothing new. */
const MAX_JOBS = 20;
const MAX_NEW_FAULTS = 5;

/**
 * Returns a variant of a scenario: most of its faults, some additional ones, perhaps a failing Pod and a user action.
 * The same seed gives the same variant.
 */
export function varyScenario(scenario: Scenario, seed: number): Scenario {
  const chance = createSeededRandom(seed);
  const { below, happens, pick } = chance;
  const cast = castValue(scenario);
  const remaining = scenario.faults.filter((_, at) => happens(0.7, "kept", at));
  const added = Array.from({ length: below(MAX_NEW_FAULTS + 1, "added") }, (_, at) =>
    createFault(chance, cast, at),
  );
  const failure: WorkloadRule = {
    job: cast.jobs.length === 0 ? "" : pick(cast.jobs, "failing"),
    index: 0,
    ...(happens(0.7, "once") && { attempt: below(3, "failingAttempt") }),
    runMs: 500 + below(20_000, "failsAfter"),
    exitCode: 1,
  };
  return {
    ...withFaultsThatHappen({ ...scenario, faults: [...remaining, ...added] }),
    seed,
    workload: happens(0.5, "fails") ? [failure, ...scenario.workload] : scenario.workload,
    actions:
      cast.jobs.length > 0 && happens(0.3, "acts")
        ? withAction(scenario, chooseAction(chance, cast, 0))
        : scenario.actions,
  };
}

/** Keeps a JobSet whose Service another one uses: nothing would recreate the Service, see docs/findings. */
function withAction({ objects, actions }: Scenario, action: UserAction): readonly UserAction[] {
  const created = actions.flatMap(({ request }) =>
    request.verb === "create" ? [request.object] : [],
  );
  const jobSets = [...objects, ...created].filter(({ kind }) => kind === "JobSet");
  const isShared = new Set(jobSets.map(getSubdomain)).size < jobSets.length;
  return isShared && deletesJobSet(action) ? actions : [...actions, action];
}

function castValue({ objects, features = {} }: Scenario): Cast {
  const jobSet = objects.find(({ kind }) => kind === "JobSet") as Unvalidated<JobSet> | undefined;
  const jobs =
    jobSet === undefined ? [] : getFirstJobs(jobSet, { features: resolveFeatureGates(features) });
  const nodes = objects.filter(({ kind }) => kind === "Node");
  return {
    jobSet: jobSet ?? {},
    jobs: jobs.map(getName),
    nodes: nodes.length === 0 ? ["node-0"] : nodes.map(({ metadata }) => metadata?.name ?? ""),
    domains: listDomains(nodes),
  };
}

function getFirstJobs(
  jobSet: Unvalidated<JobSet>,
  context: { readonly features: FeatureGates },
): readonly ToCreate<Job>[] {
  const first: ToCreate<Job>[] = [];
  for (const { replicas, jobAt } of createJobFactories(jobSet, context)) {
    for (let index = 0; index < replicas && first.length < MAX_JOBS; index++) {
      first.push(jobAt(index));
    }
  }
  return first;
}

/** Returns the labels of nodes without duplicates. */
function listDomains(nodes: Scenario["objects"]): readonly Domain[] {
  const domains = new Map<string, Domain>();
  for (const { metadata } of nodes) {
    for (const [label, value] of Object.entries(metadata?.labels ?? {})) {
      domains.set(`${label}=${value}`, { label, value: String(value) });
      if (domains.size >= MAX_DOMAINS) break;
    }
  }
  return [...domains.values()];
}
