import { describe, expect, it } from "vitest";
import { apiDefaults, setApiDefaults } from "./api-defaults.ts";
import { semanticEqual } from "./equality.ts";
import type { ElementType } from "./shape.ts";

function areEquivalent(one: unknown, other: unknown, type: ElementType): boolean {
  return semanticEqual(setApiDefaults(one, type), setApiDefaults(other, type), type);
}

const main = { name: "main", image: "busybox" };

const job = {
  template: { spec: { containers: [main], volumes: [{ name: "scratch" }], nodeSelector: {} } },
};

const explicitJob = {
  parallelism: 1,
  completions: 1,
  completionMode: "NonIndexed",
  backoffLimit: 6,
  suspend: false,
  manualSelector: false,
  podReplacementPolicy: "TerminatingOrFailed",
  template: {
    metadata: { creationTimestamp: null, labels: {} },
    spec: {
      containers: [
        {
          ...main,
          imagePullPolicy: "Always",
          resources: {},
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
        },
      ],
      dnsPolicy: "ClusterFirst",
      restartPolicy: "Always",
      schedulerName: "default-scheduler",
      securityContext: {},
      terminationGracePeriodSeconds: 30,
      tolerations: [],
      volumes: [{ name: "scratch", emptyDir: {} }],
    },
  },
};

describe("setApiDefaults", () => {
  it("setApiDefaults returns the same Job with and without explicit defaults", () => {
    expect(areEquivalent(job, explicitJob, "JobSpec")).toBe(true);
  });

  it.each<[string, object, object, ElementType]>([
    ["backoffLimit", {}, { backoffLimit: 0 }, "JobSpec"],
    [
      "completions beside parallelism",
      { parallelism: 2 },
      { parallelism: 2, completions: 1 },
      "JobSpec",
    ],
    ["terminationGracePeriodSeconds", {}, { terminationGracePeriodSeconds: 0 }, "PodSpec"],
    ["automountServiceAccountToken", {}, { automountServiceAccountToken: true }, "PodSpec"],
    ["a volume source", { name: "v" }, { name: "v", secret: {} }, "Volume"],
  ])(
    "setApiDefaults distinguishes another value of %s from an absent one",
    (_, absent, set, type) => {
      expect(areEquivalent(absent, set, type)).toBe(false);
    },
  );

  it("setApiDefaults sets the defaults of a Pod in a template without a spec", () => {
    const explicit = { spec: { dnsPolicy: "ClusterFirst" } };
    expect(areEquivalent({}, explicit, "PodTemplateSpec")).toBe(true);
    expect(setApiDefaults({ limits: {} }, "ResourceRequirements")).toEqual({ limits: {} });
  });

  it("setApiDefaults returns the same object if nothing is missing", () => {
    const complete = setApiDefaults(explicitJob, "JobSpec");
    expect(setApiDefaults(complete, "JobSpec")).toBe(complete);
  });

  it("setApiDefaults derives a default from other members", () => {
    expect(setApiDefaults({ backoffLimitPerIndex: 1 }, "JobSpec")).toMatchObject({
      backoffLimit: 2_147_483_647,
    });
    expect(apiDefaults({ podFailurePolicy: { rules: [] } }, "JobSpec")).toMatchObject({
      podReplacementPolicy: "Failed",
    });
    const policies = ["busybox", "r.io:5000/a", "a:latest", "a:1", "a@sha256:0"].map(
      (image) => apiDefaults({ image }, "Container").imagePullPolicy,
    );
    expect(policies).toEqual(["Always", "Always", "Always", "IfNotPresent", "IfNotPresent"]);
  });

  it("setApiDefaults replaces zero scalars, which Go cannot tell from absent ones", () => {
    const probe = { successThreshold: 0, periodSeconds: 3 };
    expect(setApiDefaults(probe, "Probe")).toMatchObject({ successThreshold: 1, periodSeconds: 3 });
    expect(setApiDefaults({ restartPolicy: "" }, "PodSpec").restartPolicy).toBe("Always");
    // Nullable scalars may be zero.
    expect(setApiDefaults({ backoffLimit: 0 }, "JobSpec").backoffLimit).toBe(0);
  });
});
