import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { type Cluster, eventually, Refused, type Stored } from "./cluster.ts";
import { reportedEvents } from "./final-state.ts";
import type { Kubectl } from "./kubectl.ts";
import type { Disturbance } from "./rounds.ts";
import type { TestBed } from "./test-bed.ts";

/** A story about one JobSet, which runs in its own namespace. */
export interface Scenario {
  /** What happens, in a few words. */
  readonly name: string;
  /** Feature gates that have to be on. */
  readonly gates?: readonly string[];
  /** Whether it changes state that all stories share, such as gates, and so must run alone. */
  readonly alone?: true;
  /**
   * The Events of the JobSet in the end when nothing disturbs it, each told as `Type Reason`, with ` (series)` when it
   * has repeated itself; none without. Stories by hand ask for them where they mean to.
   */
  readonly events?: readonly string[];
  /** Does what users and nodes do, and waits for what has to follow; throws when it does not. */
  play(stage: Stage): Promise<void>;
}

/** A namespace, and what scenarios do in it. */
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

  /** Switches feature gates of the shared controller; for stories that run alone. */
  async switchGates(gates: Readonly<Record<string, boolean>>): Promise<void> {
    if (this.#switchGates === undefined) throw new TypeError("no controller is shared by all");
    await this.#switchGates(gates);
  }

  /** Creates the JobSet `train`; tries again while webhooks are away. */
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

  /** Asks for a JobSet once; answers with the words of the refusal. */
  refusalOf(spec: Stored, metadata: Stored = { name: "train" }): Promise<string> {
    const { namespace } = this;
    return refusal(
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

  /** Changes the spec of the JobSet; tries again while webhooks are away. */
  edit(spec: Stored): Promise<Stored> {
    return eventually("the JobSet is edited", async () => {
      const jobSet = await this.jobSet();
      return jobSet && (await this.cluster.patch(jobSet, { spec }));
    });
  }

  /** Waits until the JobSet is there and something holds of it. */
  jobSetWith(what: string, holds: (jobSet: Stored) => boolean): Promise<Stored> {
    return eventually(what, async () => {
      const jobSet = await this.jobSet();
      return jobSet !== undefined && holds(jobSet) && jobSet;
    });
  }

  /** Waits until the JobSet has a condition with that status. */
  condition(type: string, status = "True"): Promise<Stored> {
    return this.jobSetWith(`condition ${type} is ${status}`, (jobSet) =>
      listConditions(jobSet).some((one) => one.type === type && one.status === status),
    );
  }

  /** Waits until exactly these Jobs are there, and answers them. */
  async jobs(...names: readonly string[]): Promise<readonly Stored[]> {
    const wanted = names.map((name) => `train-${name}`).sort();
    return eventually(`there are the Jobs ${wanted.join(", ") || "none"}`, async () => {
      const jobs = await this.cluster.list("Job", this.namespace);
      const found = jobs.map(({ metadata }) => metadata.name).sort();
      return found.join() === wanted.join() && jobs;
    });
  }

  /** Waits until a Job is there and not on its way out, and answers it. */
  job(name: string): Promise<Stored> {
    return eventually(`there is a Job train-${name}`, async () => {
      const job = await this.cluster.get("Job", this.namespace, `train-${name}`);
      return job?.metadata.deletionTimestamp === undefined && job;
    });
  }

  /** Writes into the status of a Job, as the Job controller would: a Job that has started does not start again. */
  async jobStatus(name: string, { startTime, ...status }: Stored): Promise<Stored> {
    const job = await this.job(name);
    const start = job.status.startTime ?? startTime;
    return this.cluster.patch(
      job,
      { status: { ...status, ...(start && { startTime: start }) } },
      "status",
    );
  }

  /** Writes the same into the statuses of several Jobs. */
  async jobStatuses(names: readonly string[], status: Stored): Promise<void> {
    await Promise.all(names.map((name) => this.jobStatus(name, status)));
  }

  /** Waits until these Jobs are there, all of that restart attempt of the JobSet, and answers them. */
  async atAttempt(attempt: number, ...names: readonly string[]): Promise<readonly Stored[]> {
    return eventually(`the Jobs ${names.join(", ")} are at attempt ${attempt}`, async () => {
      const jobs = await Promise.all(names.map((name) => this.job(name)));
      const label = String(attempt);
      return jobs.every(({ metadata }) => metadata.labels[RESTART_ATTEMPT_KEY] === label) && jobs;
    });
  }

  /** Waits until the JobSet has exactly these conditions, each told as `Type=Status Reason: message`. */
  async conditions(...expected: readonly string[]): Promise<Stored> {
    await this.becomes(async () => {
      const lines = listConditions(await this.jobSet()).map(
        ({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`,
      );
      return lines.sort();
    }, [...expected].sort());
    return this.jobSet();
  }

  /**
   * Waits until exactly these Events were reported of the JobSet, each told as `Type Reason: note`, with ` (series)` when
   * it has repeated itself.
   */
  events(...expected: readonly string[]): Promise<void> {
    return this.becomes(
      () => reportedEvents(this.cluster, this.namespace, { notes: true }),
      [...expected].sort(),
    );
  }

  /** Waits until what is read is exactly what is expected; shows the difference when it never is. */
  async becomes<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
    let value: Value | undefined;
    try {
      await eventually("it becomes as expected", async () => {
        value = await read();
        return isDeepStrictEqual(value, expected);
      });
    } catch (error) {
      assert.deepEqual(value, expected);
      throw error;
    }
  }

  /** Waits until passes over the JobSet would have shown, and nothing has become of what is read. */
  async stays<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
    await this.passes();
    assert.deepEqual(await read(), expected);
  }

  /**
   * Waits until the controller has passed over a JobSet that is created now: it has seen by then what was there before. That
   * JobSet has no Jobs, and leaves nothing behind.
   */
  async passes(): Promise<void> {
    const name = "later";
    const found = (kind: string) => this.cluster.get(kind, this.namespace, name);
    await this.#create(name, { network: { enableDNSHostnames: true }, replicatedJobs: [] });
    await eventually("a later JobSet has its Service", () => found("Service"));
    await this.cluster.delete("JobSet", this.namespace, name);
    await eventually("a later JobSet is gone, and its Service", async () => {
      const left = await Promise.all([found("JobSet"), found("Service")]);
      return left.every((object) => object === undefined);
    });
  }

  /** The names of the Jobs without that of the JobSet, sorted. */
  async jobNames(): Promise<readonly string[]> {
    const jobs = await this.cluster.list("Job", this.namespace);
    return jobs.map(({ metadata }) => metadata.name.replace(/^train-/, "")).sort();
  }

  pods(): Promise<readonly Stored[]> {
    return this.cluster.list("Pod", this.namespace);
  }

  /** Waits until that many Jobs of a ReplicatedJob are ready, succeeded and so on. */
  counted(replicatedJob: string, counts: Readonly<Record<string, number>>): Promise<Stored> {
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

/** The words with which the API server refuses a request. */
export async function refusal(request: Promise<unknown>): Promise<string> {
  try {
    await request;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
  throw new Error("the request is not refused");
}

/** What a ReplicatedJob of a scenario has other than one running Pod in one Job. */
export interface Part {
  readonly replicas?: number;
  readonly pods?: number;
  /** What the fake kubelet does with the Pods; see `Kubelet`. */
  readonly command?: readonly string[];
  readonly dependsOn?: readonly Stored[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly job?: Stored;
  readonly podSpec?: Stored;
}

/** A ReplicatedJob on the general nodes. */
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
