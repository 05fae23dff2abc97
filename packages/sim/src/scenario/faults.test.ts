import type { JobSet } from "@jobset-ts/api";
import {
  findCondition,
  getName,
  type Job,
  type JobStatus,
  type PodStatus,
} from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import {
  EXCLUSIVE,
  withAnnotations,
  withEach,
  withJobSet,
  withPodSpec,
  withSpec,
} from "../explore/scenario-edits.ts";
import { formatTimeline } from "../history/timeline-text.ts";
import { recordTrace } from "../history/trace.ts";
import type { WebhookName } from "../jobset-controller/webhooks.ts";
import { START_TIME } from "../kernel/cluster.ts";
import { DONE, isRestart, scenarioWith, simulateWithFaults } from "../testing/faulty-run.ts";
import { type ClockOwner, type Fault, faultNames, faultText } from "./fault.ts";
import { simulate } from "./simulate.ts";

describe("a fault of the controller", () => {
  it("TimeTravel shows the controller an earlier state, so the controller repeats its work", () => {
    const travel = {
      fault: "TimeTravel",
      kind: "Job",
      at: 10_000,
      backMs: 10_000,
      forMs: 3_000,
    } as const;
    const { rejected } = simulateWithFaults(scenarioWith([travel]));
    const second = rejected.filter(
      ({ actor, request }) => actor === "manager" && request.verb === "create",
    );
    expect(second.length).toBeGreaterThan(0);
    expect(
      new Set(
        second.map(
          ({ request, rejection: { reason } }) => `${request.object.metadata?.name} ${reason}`,
        ),
      ),
    ).toEqual(new Set(["train-w-0 AlreadyExists", "train-w-1 AlreadyExists"]));
    const last = Math.max(...second.map(({ at }) => at - START_TIME));
    expect(last).toBeLessThan(13_100);
  });

  it.each<{ webhooks?: readonly WebhookName[]; refuse: readonly string[] }>([
    { webhooks: ["mpod.kb.io"], refuse: ["mpod.kb.io"] },
    { webhooks: ["vpod.kb.io"], refuse: ["vpod.kb.io"] },
    { webhooks: ["mjobset.kb.io", "vjobset.kb.io"], refuse: [] },
    { refuse: ["mpod.kb.io"] },
  ])("WebhookOutage of $webhooks prevents the creation of Pods with $refuse", (outage) => {
    const { webhooks, refuse } = outage;
    const fault: Fault = {
      fault: "WebhookOutage",
      ...(webhooks && { webhooks }),
      from: 1,
      until: 20_000,
    };
    const { changes, rejected } = simulateWithFaults(scenarioWith([fault]));
    const calls = rejected.map(
      ({ rejection: { message } }) => /failed calling webhook "([^"]*)"/.exec(message)?.[1],
    );
    expect(new Set(calls)).toEqual(new Set(refuse));
    const created = changes.find(({ verb, after }) => verb === "Added" && after?.kind === "Pod");
    const madeAt = (created?.at ?? 0) - START_TIME;
    if (refuse.length === 0) expect(madeAt).toBeLessThan(1_000);
    else expect(madeAt).toBeGreaterThanOrEqual(20_000);
  });

  it("RefuseObject prevents the creation of one object only", () => {
    const fault: Fault = {
      fault: "RefuseObject",
      kind: "Job",
      name: "train-w-0",
      from: 0,
      until: 20_000,
    };
    const madeAt = new Map(
      simulateWithFaults(scenarioWith([fault])).changes.flatMap(({ verb, after, at }) =>
        verb === "Added" && after?.kind === "Job" ? [[getName(after), at - START_TIME]] : [],
      ),
    );
    expect(madeAt.get("train-w-0")).toBeGreaterThanOrEqual(20_000);
    expect(madeAt.get("train-w-1")).toBeLessThan(1_000);
  });

  it("RefuseObject does not delay the suspension, resumption or creation of other Jobs", () => {
    const refusals = [
      [5_000, 20_000],
      [60_000, 90_000],
    ].map(([from = 0, until = 0]) => {
      return { fault: "RefuseObject", kind: "Job", name: "train-w-0", from, until } as const;
    });
    const jobSet = { kind: "JobSet", metadata: { namespace: "ml", name: "train" } };
    const suspends = (suspend: boolean) =>
      ({ verb: "patch", object: { ...jobSet, spec: { suspend } } }) as const;
    const missing = { kind: "Job", metadata: { namespace: "ml", name: "train-w-1" } };
    const actions = [
      { at: 10_000, request: suspends(true) },
      { at: 65_000, request: suspends(false) },
      {
        at: 70_000,
        request: { verb: "delete", object: missing, propagation: "Background" } as const,
      },
    ];
    const { changes } = simulateWithFaults({ ...scenarioWith(refusals), actions });
    const listSuspendChanges = (name: string) =>
      changes.flatMap(({ before, after, at }) => {
        const [was, is] = [before, after].map((job) => (job?.spec as Job["spec"])?.suspend);
        const isOther = after?.kind === "Job" && getName(after) === name && is !== was;
        return isOther ? [[is, Math.floor((at - START_TIME) / 1_000)]] : [];
      });
    const others = [
      [false, 0],
      [true, 10],
      [false, 65],
      [false, 70],
    ];
    expect(listSuspendChanges("train-w-1")).toEqual(others);
    const [created, suspended, resumed, ...more] = listSuspendChanges("train-w-0");
    expect([created, suspended?.[0], resumed?.[0], more]).toEqual([[false, 0], true, false, []]);
    expect(suspended?.[1]).toBeGreaterThanOrEqual(20);
    expect(resumed?.[1]).toBeGreaterThanOrEqual(90);
  });

  it("Freeze within the lease delays the controller", () => {
    const failing = { replicatedJob: "w", jobIndex: 0, attempt: 0, runMs: 5_000, exitCode: 1 };
    const freeze = { fault: "Freeze", from: 4_000, until: 14_000 } as const;
    const { changes } = simulateWithFaults(scenarioWith([freeze], { workload: [failing, DONE] }));
    const restarted = changes.find(isRestart);
    expect(restarted).toMatchObject({ actor: "manager" });
    expect((restarted?.at ?? 0) - START_TIME).toBeGreaterThanOrEqual(14_000);
  });

  it("Freeze beyond the lease makes another replica the leader, and both act for a moment", () => {
    const failing = {
      replicatedJob: "w",
      jobIndex: 0,
      attempt: 0,
      startMs: 100,
      runMs: 4_000,
      exitCode: 1,
    };
    const workload = [failing, DONE];
    const { changes: usual } = simulateWithFaults(scenarioWith([], { workload }));
    const restartedAt = (usual.find(isRestart)?.at ?? 0) - START_TIME;
    const listActorsSince = (from: number) => {
      const freeze = { fault: "Freeze", from, until: from + 40_000 } as const;
      const { changes, rejected, jobSet } = simulateWithFaults(
        scenarioWith([freeze], { workload }),
      );
      expect(jobSet?.status).toMatchObject({ restarts: 1 });
      return [...changes, ...rejected].flatMap(({ actor, at }) =>
        at - START_TIME > from ? [actor] : [],
      );
    };
    // The old leader freezes between two requests about the failed Job.
    const actors = Array.from({ length: 8 }, (_, at) => listActorsSince(restartedAt + at * 2 - 4));
    for (const one of actors) expect(one).toContain("manager-standby");
    expect(actors.flat()).toContain("manager");
  });

  it("StaleWebhook gives one webhook an older view than another", () => {
    const listLateDenials = (webhook: "mpod.kb.io" | "vpod.kb.io") => {
      const scenario = withJobSet(
        scenarioWith([{ fault: "StaleWebhook", webhook, from: 0, until: 30_000 }], {
          jobSpec: { backoffLimit: 0, parallelism: 2, completions: 2 },
        }),
        (jobSet) => withAnnotations(jobSet, EXCLUSIVE),
      );
      const late = simulateWithFaults(scenario).rejected.filter(
        ({ at }) => at - START_TIME > 5_000,
      );
      return new Set(late.map(({ rejection: { message } }) => message));
    };
    const denied = 'admission webhook "vpod.kb.io" denied the request: ';
    expect(listLateDenials("mpod.kb.io")).toEqual(
      new Set([`${denied}follower pod node selector not set`]),
    );
    expect(listLateDenials("vpod.kb.io")).toEqual(
      new Set([
        `${denied}expected 1 leader pod (train-w-0-0), but got 0. this is an expected, transient error`,
        `${denied}expected 1 leader pod (train-w-1-0), but got 0. this is an expected, transient error`,
      ]),
    );
  });

  it("ClockOffset moves all times that are written, and ClockJump moves them for a time", () => {
    const failing = { replicatedJob: "w", jobIndex: 0, attempt: 0, runMs: 5_000, exitCode: 1 };
    const secondsWith = (faults: readonly Fault[]) => {
      const { changes } = simulateWithFaults(scenarioWith(faults, { workload: [failing, DONE] }));
      const getConditionSecond = (type: string) => {
        const conditions = changes.map(({ after }) => (after as JobSet | undefined)?.status);
        const first = conditions.map((status) => findCondition(status?.conditions, type));
        const time = first.find((one) => one?.status === "True")?.lastTransitionTime;
        return Math.round((Date.parse(time ?? "") - START_TIME) / 1_000);
      };
      return [getConditionSecond("RestartingJobSet"), getConditionSecond("Completed")];
    };
    const [restarted = 0, completed = 0] = secondsWith([]);
    const clock = { ms: 2_000 };
    expect(secondsWith([{ fault: "ClockOffset", ...clock }])).toEqual([
      restarted + 2,
      completed + 2,
    ]);
    expect(secondsWith([{ fault: "ClockJump", ...clock, from: 0, until: 20_000 }])).toEqual([
      restarted + 2,
      completed,
    ]);
  });

  it("ClockOffset makes the controller delete a JobSet when the TTL has passed by its own clock", () => {
    const lasting = withJobSet(scenarioWith([]), (jobSet) =>
      withSpec(jobSet, { ttlSecondsAfterFinished: 30 }),
    );
    const simulateWithOffset = (ms: number) => {
      const { end, violations } = simulate({ ...lasting, faults: [{ fault: "ClockOffset", ms }] });
      return [violations, end.objects.ofKind("JobSet").length];
    };
    expect([-600_000, 0, 600_000].map(simulateWithOffset)).toEqual(Array(3).fill([[], 0]));
  });

  it("ClockOffset of another program moves only the times that this program writes", () => {
    const timesWith = (faults: readonly Fault[]) => {
      const { changes } = simulateWithFaults(scenarioWith(faults));
      const [jobs, pods] = ["Job", "Pod"].map((kind) =>
        changes.flatMap(({ after }) => (after?.kind === kind ? [after] : [])),
      );
      const job = jobs?.at(-1) as unknown as Job;
      const pod = pods?.find(({ status }) => (status as PodStatus).phase === "Succeeded");
      const [container] = (pod?.status as PodStatus | undefined)?.containerStatuses ?? [];
      const times: Readonly<Record<string, string | undefined>> = {
        created: job.metadata.creationTimestamp,
        started: job.status?.startTime,
        completed: job.status?.completionTime,
        complete: findCondition(job.status?.conditions, "Complete")?.lastTransitionTime,
        ran: container?.state?.terminated?.finishedAt,
      };
      return Object.fromEntries(
        Object.entries(times).map(([name, time]) => [name, Date.parse(time ?? "") / 1_000]),
      );
    };
    const right = timesWith([]);
    const listMovedTimes = (clock: ClockOwner) => {
      const times = timesWith([{ fault: "ClockOffset", clock, ms: 2_000 }]);
      return Object.keys(right).filter((name) => {
        const by = (times[name] ?? 0) - (right[name] ?? 0);
        expect([0, 2]).toContain(by);
        return by === 2;
      });
    };
    expect(listMovedTimes("api-server")).toEqual(["created"]);
    expect(listMovedTimes("kube-controller-manager")).toEqual(["started", "completed", "complete"]);
    expect(listMovedTimes("kubelet")).toEqual(["ran"]);
  });

  it("ClockJump of Kubernetes' controllers delays the completion of a Job until it is not before its start", () => {
    const jump: Fault = {
      fault: "ClockJump",
      clock: "kube-controller-manager",
      ms: 90_000,
      from: 0,
      until: 10_000,
    };
    const { rejected, changes } = simulateWithFaults(scenarioWith([jump]));
    const isLate = /completionTime: Invalid value: .*: must be equal to or after `startTime`$/;
    for (const { rejection } of rejected) expect(rejection.message).toMatch(isLate);
    const ends = changes.flatMap(({ at, after }) =>
      after?.kind === "Job" && (after.status as JobStatus | undefined)?.completionTime
        ? [at - START_TIME]
        : [],
    );
    expect(ends[0]).toBeGreaterThanOrEqual(90_000);
    // Each of the two Jobs is retried with increasing delays.
    expect(rejected.length).toBeLessThan(20);
  });

  it("ClockJump of kubelets measures a Pod's active deadline by the clock that wrote its start", () => {
    const limited = withJobSet(scenarioWith([]), (jobSet) =>
      withEach(jobSet, (one) => withPodSpec(one, { activeDeadlineSeconds: 30 })),
    );
    const endedAt = (faults: readonly Fault[]) => {
      const seconds: number[] = [];
      simulate(
        { ...limited, faults },
        {
          onTurn: ({ changes }) => {
            for (const { at, after } of changes) {
              const { reason } = (after?.status ?? {}) as PodStatus;
              if (after?.kind === "Pod" && reason === "DeadlineExceeded") {
                seconds.push(Math.floor((at - START_TIME) / 1_000));
              }
            }
          },
        },
      );
      return seconds[0];
    };
    const jump = { fault: "ClockJump", clock: "kubelet", ms: -20_000 } as const;
    expect(endedAt([])).toBe(30);
    expect(endedAt([{ ...jump, from: 10_000, until: 100_000 }])).toBe(50);
    expect(endedAt([{ ...jump, from: 0, until: 100_000 }])).toBe(30);
  });

  it("LoseEvents and DelayEvents change only the Events", () => {
    const failing = { replicatedJob: "w", jobIndex: 0, attempt: 0, runMs: 5_000, exitCode: 1 };
    const simulateAndCount = (faults: readonly Fault[]) => {
      const { events, changes } = simulateWithFaults(
        scenarioWith(faults, { workload: [failing, DONE] }),
      );
      const own = events.filter(({ actor }) => actor === "manager");
      return {
        told: own.map(({ at, reason }) => [at - START_TIME, reason]),
        writes: changes.length,
      };
    };
    const all = simulateAndCount([]);
    const reasons = all.told.map(([, reason]) => reason);
    expect(reasons).toEqual([
      "DefaultFailurePolicy",
      "RestartJobSetFailurePolicyAction",
      "JobsReady",
      "AllJobsCompleted",
      "JobSetCompleted",
    ]);
    const always = { from: 0, until: 200_000 };
    expect(simulateAndCount([{ fault: "LoseEvents", ...always }])).toEqual({
      told: [],
      writes: all.writes,
    });
    expect(simulateAndCount([{ fault: "DelayEvents", ...always }])).toEqual({
      told: reasons.toReversed().map((reason) => [200_000, reason]),
      writes: all.writes,
    });
  });
});

it("the fault Spurious makes the controller reconcile an unchanged JobSet", () => {
  const passesAt = (faults: readonly Fault[]) => {
    let passes = 0;
    simulate(scenarioWith(faults), {
      onTurn: ({ cluster, notes }) => {
        if (cluster.now === START_TIME + 30_000) passes += notes.length;
      },
    });
    return passes;
  };
  const fault: Fault = { fault: "Spurious", at: 30_000, jobSet: "ml/train" };
  expect([passesAt([]), passesAt([fault])]).toEqual([0, 1]);
});

it.each([
  [1_200, "1200 ms ahead"],
  [-1_200, "1200 ms behind"],
])("faultText names the clock: %i", (ms, words) => {
  expect(faultText({ fault: "ClockOffset", ms })).toMatch(new RegExp(`${words}$`));
  expect(faultText({ fault: "ClockJump", ms, from: 1, until: 2 })).toMatch(new RegExp(`${words}$`));
});

it("the timeline shows every fault that has a time", () => {
  const at = 100;
  const of: Readonly<Record<string, object>> = {
    HoldBack: { kind: "Job" },
    Relist: { kind: "Job" },
    RefuseObject: { kind: "Job", name: "x" },
    Spurious: { jobSet: "ml/train" },
    TimeTravel: { kind: "Job", backMs: 1, forMs: 1 },
    LoseDomain: { label: "rack", value: "r9" },
    Relabel: { node: "node-0", label: "x" },
    Taint: { node: "node-0", effect: "NoSchedule" },
    Slow: { component: "kubelet", ms: 1 },
    ClockOffset: { ms: 0 },
    ClockJump: { ms: 0 },
    StaleWebhook: { webhook: "mpod.kb.io" },
  };
  const timed = faultNames.filter((name) => !REQUESTS.has(name));
  const faults = timed.map((fault) => ({
    fault,
    ...(["Spurious", "TimeTravel", "RestartJobController"].includes(fault)
      ? { at }
      : { from: at, until: at + 1 }),
    ...(["CutOffNode", "Drain", "Preempt"].includes(fault) && { node: "node-0" }),
    ...of[fault],
  })) as readonly Fault[];
  const timeline = formatTimeline(recordTrace(scenarioWith(faults)).trace.entries);
  for (const name of timed) expect(timeline).toContain(`FAULT ${name}: `);
});

const REQUESTS: ReadonlySet<string> = new Set([
  "DelayRequest",
  "LoseRequest",
  "LoseReply",
  "Refuse",
  "Race",
  "Crash",
]);
