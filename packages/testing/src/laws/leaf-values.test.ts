import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { differences, isSameToServer, listLeaves } from "./leaf-values.ts";

function findDifferences(one: object, other: object): readonly string[] {
  const [before, after] = [one, other].map((object) =>
    listLeaves({ apiVersion: "", metadata: {}, ...object } as unknown as KubernetesObject),
  );
  return before && after ? differences(before, after) : ["nothing"];
}

function job(spec: object, pod: object = {}): object {
  const containers = [{ name: "main", resources: { requests: { cpu: "1" } } }];
  return { kind: "Job", spec: { ...spec, template: { spec: { containers, ...pod } } } };
}

function jobSet(status: object): object {
  return { kind: "JobSet", status };
}

const time = { type: "Failed", status: "True" };

describe("listLeaves", () => {
  it.each<[string, object, object]>([
    [
      "default numbers of Pods",
      job({}),
      job({ parallelism: 1, completions: 1, backoffLimit: 6, completionMode: "NonIndexed" }),
    ],
    [
      "the default replacement of Pods",
      job({}),
      job({ podReplacementPolicy: "TerminatingOrFailed" }),
    ],
    [
      "default members of a Pod",
      job({}),
      job({}, { dnsPolicy: "ClusterFirst", restartPolicy: "Always", securityContext: {} }),
    ],
    [
      "empty lists and maps",
      job({}),
      job({}, { nodeSelector: {}, tolerations: [], schedulingGates: [], affinity: {} }),
    ],
    [
      "other units",
      job({}),
      job({}, { containers: [{ name: "main", resources: { requests: { cpu: "1000m" } } }] }),
    ],
    [
      "a volume without a source",
      job({}, { volumes: [{ name: "v" }] }),
      job({}, { volumes: [{ name: "v", emptyDir: {} }] }),
    ],
    [
      "tolerations with empty members",
      job({}, { tolerations: [{ key: "gpu", operator: "Exists" }] }),
      job({}, { tolerations: [{ value: "", operator: "Exists", key: "gpu" }] }),
    ],
    [
      "default members of a Service",
      { kind: "Service", spec: { clusterIP: "None", ports: [{ port: 80 }] } },
      {
        kind: "Service",
        spec: {
          type: "ClusterIP",
          sessionAffinity: "None",
          clusterIP: "None",
          clusterIPs: ["None"],
          ipFamilies: ["IPv4"],
          ports: [{ port: 80, targetPort: 80, protocol: "TCP" }],
        },
      },
    ],
    [
      "the default mode of a PersistentVolumeClaim",
      { kind: "PersistentVolumeClaim", spec: {} },
      { kind: "PersistentVolumeClaim", spec: { volumeMode: "Filesystem", accessModes: [] } },
    ],
    [
      "times with an offset or a fraction",
      jobSet({ conditions: [{ ...time, lastTransitionTime: "2026-02-07T10:00:00Z" }] }),
      jobSet({ conditions: [{ ...time, lastTransitionTime: "2026-02-07T11:00:00.250+01:00" }] }),
    ],
    [
      "the generation that a condition was written for",
      jobSet({ conditions: [time] }),
      jobSet({ conditions: [{ ...time, observedGeneration: 2 }] }),
    ],
  ])("listLeaves returns the same leaves for %s", (_, one, other) => {
    expect(findDifferences(one, other)).toEqual([]);
  });

  it.each<[string, object, object, string]>([
    ["no retries and the default", job({}), job({ backoffLimit: 0 }), "spec.backoffLimit"],
    ["no Pods and the default", job({}), job({ parallelism: 0 }), "spec.parallelism"],
    [
      "no grace and the default",
      job({}),
      job({}, { terminationGracePeriodSeconds: 0 }),
      "spec.template.spec.terminationGracePeriodSeconds",
    ],
    ["a selector of all objects and none", job({}), job({ selector: {} }), "spec.selector"],
    [
      "an empty label and none",
      { kind: "Job", metadata: { labels: {} } },
      { kind: "Job", metadata: { labels: { tier: "" } } },
      "metadata.labels.tier",
    ],
    [
      "a condition of another type and none",
      jobSet({}),
      jobSet({ conditions: [{ type: "acme.com/Billed", status: "True" }] }),
      "status.conditions[acme.com/Billed].status",
    ],
  ])("listLeaves returns different leaves for %s", (_, one, other, path) => {
    expect(findDifferences(one, other)).toEqual([path]);
  });
});

it("isSameToServer treats a template and its defaulted version as equal", () => {
  const template = { spec: { containers: [] } };
  const filled = { spec: { containers: [], nodeSelector: {}, dnsPolicy: "ClusterFirst" } };
  expect(isSameToServer(template, filled, "PodTemplateSpec")).toBe(true);
  const other = { spec: { containers: [], nodeSelector: { disk: "" } } };
  expect(isSameToServer(template, other, "PodTemplateSpec")).toBe(false);
});
