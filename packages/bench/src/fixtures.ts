import type { JobSet } from "@jobset-ts/api";

/** How many bytes of JSON the Pod template of {@link aTrainingJobSet} has. */
const podTemplateBytes = 3_600;

/** An ordinary training JobSet of one ReplicatedJob, as admission leaves it. */
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
