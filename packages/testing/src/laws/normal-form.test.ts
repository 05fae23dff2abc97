import { describe, expect, it } from "vitest";
import { normalForm, withoutForeignMetadata } from "./normal-form.ts";
import { checkUnexpectedChange } from "./unexpected-changes.ts";

const pod = (spec: object, metadata: object = {}) => ({ metadata, spec });
const container = (members: object) => pod({ containers: [{ name: "main", ...members }] });
const jobSet = (job: object, spec: object = {}) => ({
  spec: { ...spec, replicatedJobs: [{ name: "w", ...job }] },
});

describe("normalForm", () => {
  it.each<[string, "Pod" | "JobSet", object, object]>([
    ["nulls", "Pod", pod({ affinity: null, priority: null }), pod({})],
    ["empty lists and maps", "Pod", pod({ tolerations: [], nodeSelector: {} }), pod({})],
    ["zeros of plain scalars", "Pod", pod({ hostNetwork: false, nodeName: "" }), pod({})],
    ["empty objects by value", "Pod", container({ resources: {} }), container({})],
    [
      "quantities",
      "Pod",
      container({ resources: { limits: { cpu: "1000m", memory: "1024Mi" } } }),
      container({ resources: { limits: { cpu: "1", memory: "1Gi" } } }),
    ],
    [
      "defaults of Pods",
      "Pod",
      pod({ dnsPolicy: "ClusterFirst", securityContext: {}, terminationGracePeriodSeconds: 30 }),
      pod({}),
    ],
    [
      "defaults of containers",
      "Pod",
      container({ imagePullPolicy: "Always", terminationMessagePath: "/dev/termination-log" }),
      container({}),
    ],
    [
      "defaults of the CRD",
      "JobSet",
      jobSet({ groupName: "default", replicas: 1 }, { suspend: false }),
      jobSet({}),
    ],
  ])("normalForm hides %s", (_, kind, one, other) => {
    expect(normalForm(one, kind)).toEqual(normalForm(other, kind));
  });

  it.each<[string, "Pod" | "JobSet", object, object]>([
    ["an empty nullable object", "Pod", pod({ affinity: {} }), pod({})],
    ["a nullable zero", "Pod", pod({ priority: 0 }), pod({})],
    ["an unknown member", "Pod", pod({ acme: 0 }), pod({})],
    ["an entry of a map", "Pod", pod({ nodeSelector: { a: "" } }), pod({})],
    [
      "a default of Pods in a template",
      "JobSet",
      template({ dnsPolicy: "ClusterFirst" }),
      template({}),
    ],
    ["a replica more", "JobSet", jobSet({ replicas: 2 }), jobSet({ replicas: 1 })],
  ])("normalForm keeps %s", (_, kind, one, other) => {
    expect(normalForm(one, kind)).not.toEqual(normalForm(other, kind));
  });
});

function template(spec: object) {
  return jobSet({ template: { spec: { template: { spec } } } });
}

describe("withoutForeignMetadata", () => {
  const sent = pod({}, { labels: { app: "a" }, finalizers: ["b.io/c"] });

  it("a law ignores metadata that a webhook adds for its own purposes", () => {
    const labels = { app: "a", "acme.com/seen": "1" };
    const annotations = { "pepr.dev/uuid": "7" };
    const after = pod({}, { labels, annotations, finalizers: ["b.io/c", "acme.com/hold"] });
    expect(checkUnexpectedChange("Pod", sent, after, [])).toBeUndefined();
    expect(withoutForeignMetadata(after, sent)).toMatchObject({ metadata: sent.metadata });
  });

  it.each([
    ["a label of JobSet is added", { labels: { app: "a", "jobset.sigs.k8s.io/job-index": "1" } }],
    ["an index is added", { annotations: { "batch.kubernetes.io/job-completion-index": "0" } }],
    ["a label changes", { labels: { app: "b" } }],
    ["a label is removed", { labels: {} }],
    ["a finalizer is removed", { finalizers: [] }],
  ])("a law reports metadata that a webhook adds if %s", (_, metadata) => {
    const after = pod({}, { ...sent.metadata, ...metadata });
    expect(checkUnexpectedChange("Pod", sent, after, [])).toBeDefined();
  });
});
