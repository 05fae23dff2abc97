import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { describe } from "vitest";
import type { RequestedObject } from "../api-server/api-request.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { createScalingScenario, inRacks } from "../testing/rare-scenarios.ts";
import { createObjectRef, getTypicalScenario } from "../testing/typical-scenarios.ts";
import { testRightControllerPasses } from "../testing/wrong-controller.ts";
import {
  createPatch,
  firstReplicatedJob,
  getJobSet,
  withEach,
  withJobSet,
  withJobSpec,
  withSpec,
} from "./scenario-edits.ts";

/** Scenarios in which a correct controller is also blocked. */
const correctScenarios: Readonly<Record<string, Scenario>> = {
  "another object has the name of a Job": withTakenName(),
  "a user orphans a Job": createTakenJobScenario(),
  "a client writes to an object without a controller": withTouchedService(),
  "a user scales Jobs": createScalingScenario(),
  "a user sets and removes the TTL of a finished JobSet": withTtls([
    [100, 600],
    [300, null],
  ]),
  "a user increases the TTL of a finished JobSet": withTtls([
    [100, 600],
    [300, 7_200],
  ]),
  "a user orphans Pods with exclusive placement": withOrphanedPods(),
  "a user orphans the Jobs of a suspended JobSet and recreates it": createOrphanScenario(),
  "a user scales Jobs without parallelism": createScalingFromZero(),
  "a user deletes Pods": withHandledPods(),
  "a user deletes Pods by force": withHandledPods(0),
};

describe("a correct controller", () => {
  testRightControllerPasses(correctScenarios);
});

/** A foreign Job has the name of a Job of the JobSet, and nothing finishes. */
function withTakenName(): Scenario {
  const scenario = getTypicalScenario("deletion");
  const { template } = firstReplicatedJob(getJobSet(scenario));
  const job = { ...createObjectRef("Job", "train-workers-0"), apiVersion: "batch/v1", ...template };
  const [node, jobSet] = scenario.objects;
  return { ...scenario, objects: [node, job, jobSet] as Scenario["objects"], actions: [] };
}

/** A user orphans a Job of a JobSet, and another Job of that JobSet finishes later. */
function createTakenJobScenario(): Scenario {
  const metadata = { ...createObjectRef("Job", "train-workers-1").metadata, ownerReferences: null };
  const object = { kind: "Job", metadata } as unknown as RequestedObject;
  return {
    ...getTypicalScenario("failure"),
    workload: [{ replicatedJob: "leader", runMs: 60_000 }, { stopMs: 500 }],
    actions: [{ at: 10_000, request: { verb: "patch", object } }],
  };
}

/** Another client writes to a Service without owner right before the controller tries to create it. */
function withTouchedService(): Scenario {
  const { objects, ...scenario } = withJobSet(getTypicalScenario("deletion"), (jobSet) =>
    withSpec(jobSet, { network: { enableDNSHostnames: true } }),
  );
  const service = {
    ...createObjectRef("Service", "train"),
    spec: { clusterIP: "None" },
  } as RequestedObject;
  return {
    ...scenario,
    objects: [service, ...objects],
    actions: [],
    faults: [
      { fault: "HoldBack", kind: "Service", from: 0, until: 20_000 },
      { fault: "Race", request: 1 },
    ],
  };
}

/** Users set the TTL of a finished JobSet at different times. */
function withTtls(ttls: readonly (readonly [at: number, seconds: number | null])[]): Scenario {
  const scenario = getTypicalScenario("failure");
  const actions = ttls.map(([at, ttlSecondsAfterFinished]) =>
    createPatch(at * 1_000, scenario, { ttlSecondsAfterFinished }),
  );
  return { ...scenario, actions };
}

/** A user deletes a Job with its own rack and orphans its Pods. */
function withOrphanedPods(): Scenario {
  const request = { verb: "delete", object: createObjectRef("Job", "train-workers-1") } as const;
  return {
    ...inRacks([]),
    actions: [{ at: 10_000, request: { ...request, propagationPolicy: "Orphan" } }],
  };
}

/** A user orphans the Jobs of a suspended JobSet and recreates it. */
function createOrphanScenario(): Scenario {
  const scenario = getTypicalScenario("suspension");
  const object = getJobSet(scenario) as unknown as RequestedObject;
  return {
    ...scenario,
    actions: [
      { at: 3_000, request: { verb: "delete", object, propagationPolicy: "Orphan" } },
      { at: 10_000, request: { verb: "create", object } },
    ],
  };
}

/** A user scales Jobs whose number of Pods the JobSet does not set. */
function createScalingFromZero(): Scenario {
  const scenario = createScalingScenario();
  const counts = { parallelism: undefined, completions: undefined };
  return withJobSet(scenario, (jobSet) => withEach(jobSet, (one) => withJobSpec(one, counts)));
}

/** The Pods of a Job are deleted, at once or with a grace period, and their labels are edited. */
function withHandledPods(gracePeriodSeconds?: number): Scenario {
  const selector = { "batch.kubernetes.io/job-name": "train-workers-1" };
  const object: RequestedObject = { kind: "Pod", metadata: { namespace: "ml" } };
  const labels = { [JOBSET_NAME_KEY]: null } as never;
  const edited = { kind: "Pod", metadata: { namespace: "ml", labels } };
  const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
  return {
    ...getTypicalScenario("restartThatRunsOn"),
    workload: [{ stopMs: 500 }],
    actions: [
      { at: 10_000, selector, request: { verb: "patch", object: edited } },
      { at: 20_000, selector, request: { verb: "delete", object, ...grace } },
    ],
  };
}
