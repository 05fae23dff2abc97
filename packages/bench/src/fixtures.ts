import { type JobSet, resolveFeatureGates } from "@jobset-ts/api";
import type { Job, Pod } from "@jobset-ts/api/kubernetes";
import { desiredJobs } from "@jobset-ts/core/desired";

/** The size of the Pod template of {@link aTrainingJobSet} as JSON, in bytes. */
const podTemplateBytes = 3_600;

/** The number of Pods that {@link listPods} creates. */
export const podsPerJob = 10;

/** Creates a typical training JobSet of one ReplicatedJob, as stored after admission. */
export function aTrainingJobSet(replicas: number): JobSet {
  return {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: { name: "train", namespace: "ml", uid: "5c1c3a0e-8d5c-4c58-9d4b-0d6b1b0f7a11" },
    spec: {
      network: { enableDNSHostnames: true, publishNotReadyAddresses: true },
      successPolicy: { operator: "All" },
      replicatedJobs: [
        {
          name: "workers",
          groupName: "default",
          replicas,
          template: {
            spec: {
              parallelism: 4,
              completions: 4,
              completionMode: "Indexed",
              backoffLimit: 0,
              template: { spec: aPodSpec() },
            },
          },
        },
      ],
    },
  };
}

function aPodSpec() {
  const container = {
    name: "trainer",
    image: "registry.example/ml/trainer:v3",
    command: ["python", "-m", "trainer.main"],
    ports: [{ containerPort: 29500, protocol: "TCP" }],
    resources: { requests: { cpu: "8", memory: "64Gi" }, limits: { "example.com/gpu": "8" } },
    env: [] as { name: string; value: string }[],
  };
  const spec = { restartPolicy: "Never" as const, containers: [container] };
  for (let index = 0; JSON.stringify(spec).length < podTemplateBytes - 60; index++) {
    container.env.push({ name: `SETTING_${index}`, value: `value-${index}`.padEnd(24, "x") });
  }
  return spec;
}

/** Creates a JobSet whose Jobs all run and are counted, so a pass changes nothing. */
export function createRunningJobSet(size: number): {
  readonly jobSet: JobSet;
  readonly jobs: readonly Job[];
} {
  const jobSet = aTrainingJobSet(size);
  jobSet.spec.network = { enableDNSHostnames: false };
  jobSet.status = {
    restarts: 0,
    replicatedJobsStatus: [
      { name: "workers", ready: size, succeeded: 0, failed: 0, active: size, suspended: 0 },
    ],
  };
  const jobs = desiredJobs(jobSet, { features: resolveFeatureGates({}) }).map((job, index) => ({
    ...job,
    metadata: { ...job.metadata, uid: `job-${index}`, resourceVersion: String(index + 1) },
    status: { active: 4, ready: 4, startTime: "2026-11-21T11:00:00Z" },
  }));
  // As in a client: parsed from text, without parts that Jobs share.
  return { jobSet, jobs: jobs.map((job) => JSON.parse(JSON.stringify(job)) as Job) };
}

/** Creates the Pods of a Job, on one node. */
export function listPods(job: Job): readonly Pod[] {
  return Array.from({ length: podsPerJob }, (_, index) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${job.metadata.name}-${index}-x7k2p`,
      namespace: "ml",
      uid: `${job.metadata.uid}-${index}`,
      labels: { ...job.metadata.labels },
      annotations: {
        "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack",
        "batch.kubernetes.io/job-completion-index": String(index),
      },
      ownerReferences: [
        {
          apiVersion: "batch/v1",
          kind: "Job",
          name: job.metadata.name ?? "",
          uid: job.metadata.uid ?? "",
          controller: true,
        },
      ],
    },
    spec: { containers: [], nodeName: "n1" },
    status: { phase: "Running" },
  }));
}
