import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { type Cluster, eventually, RejectedError, type Stored } from "./cluster.ts";
import { reportedEvents } from "./final-state.ts";
import type { Kubectl } from "./kubectl.ts";
import type { Disturbance } from "./rounds.ts";
import type { TestBed } from "./test-bed.ts";

/** A story about one JobSet, which runs in its own namespace. */
export interface Scenario {
  /** A short description. */
  readonly name: string;
  /** The feature gates that the story requires. */
  readonly gates?: readonly string[];
  /** Whether the story changes shared state, such as gates, and so must run alone. */
  readonly alone?: true;
  /**
   * The Events of the JobSet in the undisturbed round, each as `Type Reason`, with ` (series)` if it was repeated. None
   * by default. Stories in `by-hand` check Events explicitly.
   */
  readonly events?: readonly string[];
  /** Performs the actions of users and nodes, and waits for the expected results. Throws if they do not occur. */
  play(stage: Stage): Promise<void>;
}

/** A namespace, with the actions and waits of stories. */
export class Stage {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** Calls kubectl, as an administrator unless a kubeconfig is given. */
  readonly kubectl: Kubectl;
  readonly #switchGates: Disturbance["switchGates"];

  constructor(
    { cluster, kubectl }: Pick<TestBed, "cluster" | "kubectl">,
    namespace: string,
    switchGates?: Disturbance["switchGates"],
  ) {
    this.cluster = cluster;
    this.kubectl = kubectl;
    this.namespace = namespace;
    this.#switchGates = switchGates;
  }

  /** Switches feature gates of the shared controller. Only for stories that run alone. */
  async switchGates(gates: Readonly<Record<string, boolean>>): Promise<void> {
    if (this.#switchGates === undefined) throw new TypeError("this round has no shared controller");
    await this.#switchGates(gates);
  }

  /** Creates the JobSet `train`. Retries while the webhooks are unavailable. */
  create(spec: Stored, annotations: Readonly<Record<string, string>> = {}): Promise<Stored> {
    return this.#create("train", spec, annotations);
  }

  #create(name: string, spec: Stored, annotations?: Stored): Promise<Stored> {
    const metadata = { name, namespace: this.namespace, annotations };
    const jobSet = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata, spec };
    return eventually("a JobSet is created", async () => {
      try {
        return await this.cluster.create(jobSet);
      } catch (error) {
        const existing = await this.cluster.get("JobSet", this.namespace, name);
        if (existing !== undefined) return existing;
        throw error;
      }
    });
  }

  /** Tries once to create a JobSet, and returns the error message. */
  tryCreate(spec: Stored, metadata: Stored = { name: "train" }): Promise<string> {
    const { namespace } = this;
    return getRejectionMessage(
      this.cluster.create({
        apiVersion: "jobset.x-k8s.io/v1alpha2",
        kind: "JobSet",
        metadata: { namespace, ...metadata },
        spec,
      }),
    );
  }

  jobSet(): Promise<Stored | undefined> {
    return this.cluster.get("JobSet", this.namespace, "train");
  }

  /** Changes the spec of the JobSet. Retries while the webhooks are unavailable. */
  edit(spec: Stored): Promise<Stored> {
    return eventually("the JobSet is edited", async () => {
      const jobSet = await this.jobSet();
      return jobSet && (await this.cluster.patch(jobSet, { spec }));
    });
  }

  /** Waits until the JobSet exists and a condition holds. */
  jobSetWith(what: string, holds: (jobSet: Stored) => boolean): Promise<Stored> {
    return eventually(what, async () => {
      const jobSet = await this.jobSet();
      return jobSet !== undefined && holds(jobSet) && jobSet;
    });
  }

  /** Waits until the JobSet has a condition with this status. */
  condition(type: string, status = "True"): Promise<Stored> {
    return this.jobSetWith(`condition ${type} is ${status}`, (jobSet) =>
      listConditions(jobSet).some((one) => one.type === type && one.status === status),
    );
  }

  /** Waits until exactly these Jobs exist, and returns them. */
  async jobs(...names: readonly string[]): Promise<readonly Stored[]> {
    const desired = names.map((name) => `train-${name}`).sort();
    return eventually(`exactly these Jobs exist: ${desired.join(", ") || "none"}`, async () => {
      const jobs = await this.cluster.list("Job", this.namespace);
      const found = jobs.map(({ metadata }) => metadata.name).sort();
      return found.join() === desired.join() && jobs;
    });
  }

  /** Waits until a Job exists and is not being deleted, and returns it. */
  job(name: string): Promise<Stored> {
    return eventually(`the Job train-${name} exists`, async () => {
      const job = await this.cluster.get("Job", this.namespace, `train-${name}`);
      return job?.metadata.deletionTimestamp === undefined && job;
    });
  }

  /** Writes the status of a Job, as the Job controller would. The start time of a started Job does not change. */
  async jobStatus(name: string, { startTime, ...status }: Stored): Promise<Stored> {
    const job = await this.job(name);
    const start = job.status.startTime ?? startTime;
    return this.cluster.patch(
      job,
      { status: { ...status, ...(start && { startTime: start }) } },
      "status",
    );
  }

  /** Writes the same status for several Jobs. */
  async jobStatuses(names: readonly string[], status: Stored): Promise<void> {
    await Promise.all(names.map((name) => this.jobStatus(name, status)));
  }

  /** Waits until these Jobs exist, all in this restart attempt of the JobSet, and returns them. */
  async atAttempt(attempt: number, ...names: readonly string[]): Promise<readonly Stored[]> {
    return eventually(`the Jobs ${names.join(", ")} are at attempt ${attempt}`, async () => {
      const jobs = await Promise.all(names.map((name) => this.job(name)));
      const label = String(attempt);
      return jobs.every(({ metadata }) => metadata.labels[RESTART_ATTEMPT_KEY] === label) && jobs;
    });
  }

  /** Waits until the JobSet has exactly these conditions, each as `Type=Status Reason: message`. */
  async conditions(...expected: readonly string[]): Promise<Stored> {
    await this.waitForValue(async () => {
      const lines = listConditions(await this.jobSet()).map(
        ({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`,
      );
      return lines.sort();
    }, [...expected].sort());
    return this.jobSet();
  }

  /**
   * Waits until exactly these Events were reported for the JobSet, each as `Type Reason: note`, with ` (series)` if it
   * was repeated.
   */
  events(...expected: readonly string[]): Promise<void> {
    return this.waitForValue(
      () => reportedEvents(this.cluster, this.namespace, { notes: true }),
      [...expected].sort(),
    );
  }

  /** Waits until the read value equals the expected one. On timeout, the error shows the difference. */
  async waitForValue<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
    let value: Value | undefined;
    try {
      await eventually("the value becomes the expected one", async () => {
        value = await read();
        return isDeepStrictEqual(value, expected);
      });
    } catch (error) {
      assert.deepEqual(value, expected);
      throw error;
    }
  }

  /** Checks that the read value does not change during the time of a few passes over the JobSet. */
  async expectUnchanged<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
    await this.passes();
    assert.deepEqual(await read(), expected);
  }

  /**
   * Waits until the controller has reconciled a JobSet that is created now, and so has seen all earlier objects. That
   * JobSet has no Jobs and is removed afterwards.
   */
  async passes(): Promise<void> {
    const name = "later";
    const findChild = (kind: string) => this.cluster.get(kind, this.namespace, name);
    await this.#create(name, { network: { enableDNSHostnames: true }, replicatedJobs: [] });
    await eventually("a later JobSet has its Service", () => findChild("Service"));
    await this.cluster.delete("JobSet", this.namespace, name);
    await eventually("a later JobSet and its Service are gone", async () => {
      const left = await Promise.all([findChild("JobSet"), findChild("Service")]);
      return left.every((object) => object === undefined);
    });
  }

  /** Returns the sorted names of the Jobs without the JobSet's name. */
  async jobNames(): Promise<readonly string[]> {
    const jobs = await this.cluster.list("Job", this.namespace);
    return jobs.map(({ metadata }) => metadata.name.replace(/^train-/, "")).sort();
  }

  pods(): Promise<readonly Stored[]> {
    return this.cluster.list("Pod", this.namespace);
  }

  /** Waits until the status counts this number of ready, succeeded, … Jobs of a ReplicatedJob. */
  waitForCounts(replicatedJob: string, counts: Readonly<Record<string, number>>): Promise<Stored> {
    const text = JSON.stringify(counts);
    return this.jobSetWith(`the status counts ${text} of ${replicatedJob}`, ({ status }) => {
      const entry = status?.replicatedJobsStatus?.find(
        ({ name }: Stored) => name === replicatedJob,
      );
      return (
        entry !== undefined &&
        Object.entries(counts).every(([name, count]) => entry[name] === count)
      );
    });
  }
}

export function listConditions(object: Stored): readonly Stored[] {
  return object?.status?.conditions ?? [];
}

/** Returns the message with which the API server rejects a request. */
export async function getRejectionMessage(request: Promise<unknown>): Promise<string> {
  try {
    await request;
  } catch (error) {
    if (error instanceof RejectedError) return error.message;
    throw error;
  }
  throw new Error("the request is not rejected");
}

/** The differences of a ReplicatedJob from one Job with one running Pod. */
export interface Part {
  readonly replicas?: number;
  readonly pods?: number;
  /** The behavior of the Pods in the fake kubelet; see `Kubelet`. */
  readonly command?: readonly string[];
  readonly dependsOn?: readonly Stored[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly job?: Stored;
  readonly podSpec?: Stored;
}

/** Returns a ReplicatedJob that runs on the general nodes. */
export function part(
  name: string,
  { replicas = 1, pods = 1, command = ["run"], ...rest }: Part = {},
) {
  const { dependsOn, annotations = {}, job = {}, podSpec = {} } = rest;
  const container = {
    name: "main",
    image: "example.com/main",
    command,
    resources: { requests: { cpu: "1" } },
    ...podSpec.container,
  };
  const { container: _, ...podRest } = podSpec;
  return {
    name,
    replicas,
    ...(dependsOn !== undefined && { dependsOn }),
    template: {
      metadata: { annotations },
      spec: {
        parallelism: pods,
        completions: pods,
        backoffLimit: 0,
        template: {
          spec: {
            restartPolicy: "Never",
            terminationGracePeriodSeconds: 0,
            nodeSelector: { pool: "general" },
            containers: [container],
            ...podRest,
          },
        },
        ...job,
      },
    },
  };
}
