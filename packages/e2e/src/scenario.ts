import { type Cluster, eventually, type Stored } from "./cluster.ts";

/** A story of one JobSet, told in a namespace of its own. */
export interface Scenario {
  /** What happens, in a few words. */
  readonly name: string;
  /** Feature gates that have to be on. */
  readonly gates?: readonly string[];
  /** Does what users and nodes do, and waits for what has to follow; throws when it does not. */
  play(stage: Stage): Promise<void>;
}

/** A namespace, and what scenarios do in it. */
export class Stage {
  readonly cluster: Cluster;
  readonly namespace: string;

  constructor(cluster: Cluster, namespace: string) {
    this.cluster = cluster;
    this.namespace = namespace;
  }

  /** Creates a JobSet `train`; tries again while webhooks are away. */
  create(spec: Stored, annotations: Readonly<Record<string, string>> = {}): Promise<Stored> {
    const metadata = { name: "train", namespace: this.namespace, annotations };
    const jobSet = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata, spec };
    return eventually("a JobSet is created", async () => {
      try {
        return await this.cluster.create(jobSet);
      } catch (error) {
        const existing = await this.jobSet();
        if (existing !== undefined) return existing;
        throw error;
      }
    });
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
      conditionsOf(jobSet).some((one) => one.type === type && one.status === status),
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

export function conditionsOf(object: Stored): readonly Stored[] {
  return object.status?.conditions ?? [];
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
