import type { JobSet } from "@jobset-ts/api";
import { IN_PLACE_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import {
  getAnnotation,
  type JobTemplateSpec,
  type KubernetesObject,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { isActive, type Workload } from "@jobset-ts/kueue";
import { describe, expect, it } from "vitest";
import type { AdmissionStep } from "../api-server/admission-step.ts";
import type { RequestedObject } from "../api-server/api-request.ts";
import { createRejection } from "../api-server/rejections.ts";
import { createSimController } from "../jobset-controller/pass-run.ts";
import { advance, applyExternally, type StepResult } from "../kernel/advance.ts";
import { type ClusterConfig, newCluster } from "../kernel/cluster.ts";
import { type Component, getChangedObject } from "../kernel/component.ts";
import { createJudge, livenessLaws, NO_MEMORIES, safetyLaws } from "../laws/judge.ts";
import { addPending, findOverdue, listGroups, NO_PENDING_LAWS } from "../laws/liveness-law.ts";
import { isFollower, isLeader, isPlacedExclusively } from "../laws/pod-roles.ts";
import { steadyStateLaws } from "../laws/steady-state-laws.ts";
import { createClusterConfig } from "../scenario/cluster-config.ts";
import type { Scenario, UserAction } from "../scenario/scenario.ts";
import { BEGIN } from "../scenario/user.ts";
import { restartingInPlace, typicalScenarios } from "../testing/typical-scenarios.ts";
import { withEach, withJobSet, withPodSpec } from "./scenario-edits.ts";

const NO_FAULT_SEED = 0;
const LIVENESS = listGroups(livenessLaws);
const IN_ORDER = safetyLaws.filter(({ name }) => name === "writesAreInOrder");

/** Returns the names of the laws that report a cluster with one wrong part. */
function listReportingLaws(
  scenario: Scenario,
  change: (world: ClusterConfig) => ClusterConfig,
): readonly string[] {
  const world = change(createClusterConfig(scenario, { controller: withoutRepairs }));
  let { cluster } = applyExternally(world, newCluster(world), "user", (process) =>
    process.wake(BEGIN),
  );
  const judge = createJudge(safetyLaws);
  let [remembered, awaited] = [NO_MEMORIES, NO_PENDING_LAWS];
  const found = new Set<string>();
  for (let turns = 0; turns < 800; turns++) {
    const until = cluster.turns.first?.at ?? Number.POSITIVE_INFINITY;
    const late = findOverdue(awaited, cluster.objects, until);
    for (const { law } of late.violations) found.add(law);
    const turn = advance(world, cluster);
    if (turn === undefined) break;
    const judged = judge(remembered, turn);
    for (const { law } of judged.violations) found.add(law);
    remembered = judged.remembered;
    awaited = addPending(LIVENESS, late.awaited, turn, NO_FAULT_SEED);
    cluster = turn.cluster;
  }
  if (cluster.turns.size > 0) return [...found].sort();
  const context = { now: cluster.now, features: new Set(), quirks: new Set() } as never;
  for (const { name, onSteadyState } of steadyStateLaws) {
    if (onSteadyState(cluster.objects, context) !== undefined) found.add(name);
  }
  return [...found].sort();
}

/** Returns a cluster in which a webhook returns another response. */
function withWebhook(
  name: string,
  review: (own: AdmissionStep["review"]) => AdmissionStep["review"],
): (world: ClusterConfig) => ClusterConfig {
  return (world) => ({
    ...world,
    admission: world.admission.map((step) =>
      step.name === name ? { ...step, review: review(step.review) } : step,
    ),
  });
}

const withoutRepairs = createSimController({
  reconcilePlacement: (_snapshot, leader) => ({
    leader: { apiVersion: "v1", kind: "Pod", namespace: "ml", name: leader.metadata?.name ?? "" },
    steps: [],
    decisions: [],
    warnings: [],
  }),
});

const admitUnchanged: AdmissionStep["review"] = ({ object }) => ({ ok: true, object });

/** Three Jobs under exclusive placement with running Pods, and this number of racks. */
function exclusive(racks: number): Scenario {
  const { objects, ...scenario } = typicalScenarios.deletion as Scenario;
  const [node, jobSet] = objects;
  const annotations = { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" };
  const nodes = Array.from({ length: racks }, (_, at) => ({
    ...node,
    metadata: { name: `node-${at}`, labels: { rack: `r${at}` } },
  }));
  return {
    ...scenario,
    objects: [
      ...nodes,
      { ...jobSet, metadata: { ...jobSet?.metadata, annotations } },
    ] as Scenario["objects"],
    actions: [],
  };
}

/** A Pod of another JobSet without exclusive placement needs a node in racks that all already have leaders. */
function withIntruder(scenario: Scenario): Scenario {
  const labels = {
    "jobset.sigs.k8s.io/jobset-name": "plain",
    "jobset.sigs.k8s.io/job-key": "1234567890123456789012345678901234567890",
    "jobset.sigs.k8s.io/priority": "0",
  };
  const containers = [{ name: "main", image: "busybox" }];
  const object = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "ml", name: "plain-workers-0-0-abcde", labels },
    spec: { restartPolicy: "Never", containers },
  } as RequestedObject;
  return { ...scenario, actions: [{ at: 10_000, request: { verb: "create", object } }] };
}

/** A user changes the image of a running JobSet, and then its manager. */
const editedScenario: Scenario = {
  ...(typicalScenarios.deletion as Scenario),
  actions: [
    createSpecPatch((spec) => ({
      replicatedJobs: (spec.replicatedJobs ?? []).map(({ template, ...one }) => ({
        ...one,
        template: withImage(template, "another"),
      })),
    })),
    createSpecPatch(() => ({ managedBy: "example.com/another" })),
  ],
};

function createSpecPatch(change: (spec: JobSet["spec"]) => Partial<JobSet["spec"]>): UserAction {
  const jobSet = typicalScenarios.deletion?.objects.find(({ kind }) => kind === "JobSet");
  const { metadata, spec } = jobSet as unknown as JobSet;
  const object = { kind: "JobSet", metadata, spec: change(spec) } as unknown as RequestedObject;
  return { at: 5_000, request: { verb: "patch", object } };
}

function withImage({ spec, ...others }: JobTemplateSpec, image: string): JobTemplateSpec {
  const { template } = spec;
  const containers = [{ name: "main", image }];
  return { ...others, spec: { ...spec, template: { ...template, spec: { containers } } } };
}

/** A queued JobSet with six Pods that request one CPU each, and this quota. */
function createQueuedScenario(cpu: string): Scenario {
  const containers = [{ name: "main", image: "busybox", resources: { requests: { cpu: "1" } } }];
  const scenario = withJobSet(typicalScenarios.deletion as Scenario, (jobSet) => ({
    ...withEach(jobSet, (one) => withPodSpec(one, { containers })),
    metadata: { ...jobSet.metadata, labels: { "kueue.x-k8s.io/queue-name": "gpu" } },
  }));
  const flavors = [{ name: "all", nodeLabels: {}, quota: { cpu } }];
  return { ...scenario, actions: [], queueing: { flavors, evictions: [] } };
}

/** A component that withdraws the quota of a JobSet once its Jobs run. */
const quotaWithdrawingComponent: Component<{ readonly hasTaken: boolean }> = {
  name: "taker",
  memory: { hasTaken: false },
  watches: ["JobSet"],
  observe: ({ after }, process) => {
    if (after !== undefined && isActive(after as unknown as JobSet)) process.wake("take");
  },
  act: (_, process) => {
    if (process.memory.hasTaken) return;
    process.memory = { hasTaken: true };
    for (const workload of process.objects.ofKind<Workload>("Workload")) {
      process.edit(workload, ({ status }) => void delete status?.conditions, "status");
    }
  },
};

/** An agent that increases each announced attempt by one. */
const counter: Component = {
  name: "counter",
  memory: undefined,
  watches: ["Pod"],
  observe: ({ after }, process) => {
    if (after !== undefined && getAttempt(after) % 2 === 1) process.wake(after.metadata.name ?? "");
  },
  act: (name, process) => {
    const pod = process.objects.get<Pod>("Pod", "ml", name);
    if (pod === undefined) return;
    const attempt = String(getAttempt(pod) + 1);
    process.edit(pod, ({ metadata }) => {
      metadata.annotations = { ...metadata.annotations, [IN_PLACE_RESTART_ATTEMPT_KEY]: attempt };
    });
  },
};

function getAttempt(pod: KubernetesObject): number {
  return Number(getAnnotation(pod, IN_PLACE_RESTART_ATTEMPT_KEY) ?? 0);
}

/** Returns a cluster with an additional component. */
function withComponent<Memory>(
  component: Component<Memory>,
): (world: ClusterConfig) => ClusterConfig {
  return (world) => ({ ...world, components: [...world.components, component as Component] });
}

/** Returns a cluster with another scheduler. */
function withScheduler(
  change: (own: Component) => Component,
): (world: ClusterConfig) => ClusterConfig {
  return ({ components, ...world }) => ({
    ...world,
    components: components.map((one) =>
      one.name === "scheduler" ? change(one as Component) : one,
    ),
  });
}

/** Returns a cluster in which Kueue gets no events of JobSets. */
function withUninformedKueue(world: ClusterConfig): ClusterConfig {
  const ignoreJobSetChanges = (own: Component): Component => ({
    ...own,
    observe: (change, process) => {
      if (change.after?.kind !== "JobSet" || change.verb === "Added")
        own.observe?.(change, process);
    },
  });
  const components = world.components.map((one) =>
    one.name === "kueue" ? ignoreJobSetChanges(one as Component) : one,
  );
  return { ...world, components };
}

const wrong: Readonly<
  Record<
    string,
    readonly [Scenario, (world: ClusterConfig) => ClusterConfig, finders: readonly string[]]
  >
> = {
  "denies every Pod": [
    exclusive(3),
    withWebhook(
      "vpod.kb.io",
      () => () =>
        createRejection(403, "Forbidden", 'admission webhook "vpod.kb.io" denied the request: no'),
    ),
    ["jobsGetTheirPods", "onlyFollowersAreDenied"],
  ],
  "admits all followers": [
    exclusive(3),
    (world) =>
      withWebhook(
        "vpod.kb.io",
        () => admitUnchanged,
      )(
        withWebhook(
          "mpod.kb.io",
          (own) => (review) =>
            isFollower(review.object as never) ? admitUnchanged(review) : own(review),
        )(world),
      ),
    ["followersComeAfterTheirLeader", "followersJoinTheirLeader"],
  ],
  "places followers elsewhere, without a repair": [
    exclusive(3),
    (world) =>
      withWebhook(
        "vpod.kb.io",
        () => admitUnchanged,
      )(
        withWebhook("mpod.kb.io", (own) => (review) => {
          if (!isFollower(review.object as never)) return own(review);
          const spec = { ...(review.object.spec as object), nodeSelector: { rack: "nowhere" } };
          return { ok: true, object: { ...review.object, spec } };
        })(world),
      ),
    ["followersJoinTheirLeader"],
  ],
  "does not reserve a domain for a leader": [
    exclusive(1),
    withWebhook(
      "mpod.kb.io",
      (own) => (review) =>
        isLeader(review.object as never) ? admitUnchanged(review) : own(review),
    ),
    ["domainsBelongToOneJob"],
  ],
  "places a Pod without anti-affinity in the domain of a leader": [
    withIntruder(exclusive(3)),
    withWebhook("mpod.kb.io", (own) => (review) => {
      if (isPlacedExclusively(review.object as never)) return own(review);
      const spec = { ...(review.object.spec as object), nodeName: "node-0" };
      return { ok: true, object: { ...review.object, spec } };
    }),
    ["domainsBelongToOneJob"],
  ],
  "accepts every update of a JobSet": [
    editedScenario,
    withWebhook("vjobset.kb.io", () => admitUnchanged),
    ["policiesAreImmutable", "replicatedJobsAreImmutable"],
  ],
  "withdraws the quota of running JobSets": [
    createQueuedScenario("6"),
    withComponent(quotaWithdrawingComponent),
    ["quotaIsReleasedAfterPodsStop"],
  ],
  "ignores that a JobSet without quota is resumed": [
    { ...createQueuedScenario("5"), actions: [createSpecPatch(() => ({ suspend: false }))] },
    withUninformedKueue,
    ["runningJobSetsHaveQuota"],
  ],
  "increases in-place attempts by two": [
    restartingInPlace(2),
    withComponent(counter),
    ["inPlaceAttemptsIncreaseByOne", "inPlaceAttemptsNeverDecrease"],
  ],
  "has a scheduler that ignores followers": [
    exclusive(3),
    withScheduler((own) => ({
      ...own,
      observe: (change, process) => {
        if (!isFollower(getChangedObject(change) as never)) own.observe?.(change, process);
      },
    })),
    ["podsAreScheduledIfNodesFit"],
  ],
  "does not collect garbage": [
    typicalScenarios.deletion as Scenario,
    (world) => ({
      ...world,
      components: world.components.filter(({ name }) => name !== "garbage-collector"),
    }),
    ["deletedJobSetsLeaveNoObjects", "deletionsComplete"],
  ],
};

describe("a cluster", () => {
  it.each(Object.entries(wrong))(
    "the laws report a cluster that %s",
    (_, [scenario, change, finders]) => {
      expect(listReportingLaws(scenario, (world) => world)).toEqual([]);
      expect(listReportingLaws(scenario, change)).toEqual(finders);
    },
  );

  it("the laws report a cluster whose revisions decrease", () => {
    const turnAt = (revision: number) =>
      ({
        cluster: { now: 0 },
        changes: [{ revision, after: { metadata: { resourceVersion: String(revision) } } }],
        notes: [],
        rejectedRequests: [],
        events: [],
      }) as unknown as StepResult;
    const judge = createJudge(IN_ORDER);
    const { remembered, violations } = judge(NO_MEMORIES, turnAt(2));
    expect(violations).toEqual([]);
    const second = judge(remembered, turnAt(1));
    expect(second.violations.map(({ message }) => message)).toEqual(["revision 1 comes after 2"]);
  });
});
