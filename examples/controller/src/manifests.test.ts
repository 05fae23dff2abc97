// Tests that the manifests grant exactly what the library needs.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cachedKinds } from "@jobset-ts/controller-runtime";
import { createContext, createSnapshot, type Effect, reconcile } from "@jobset-ts/core";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import { type Permission, permissionsFor } from "@jobset-ts/core/requests";
import { customResourceDefinition } from "@jobset-ts/crd";
import { aJob, aJobSet, aNode, aPod } from "@jobset-ts/testing";
import { clusters } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { parseAllDocuments } from "yaml";
import { runs } from "../../../packages/testing/src/testing/runs.ts";
import { readOptions } from "./options.ts";

const manifests = join(import.meta.dirname, "..", "manifests");

// biome-ignore lint/suspicious/noExplicitAny: the test reads single fields of the manifests
function documents(file: string): readonly any[] {
  const text = readFileSync(join(manifests, file), "utf8");
  return parseAllDocuments(text).map((document) => document.toJS());
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const clusterRole = documents("rbac.yaml").find(({ kind }) => kind === "ClusterRole");
const clusterRoleBinding = documents("rbac.yaml").find(({ kind }) => kind === "ClusterRoleBinding");

/** Lists each permission as `<group>/<resource> <verb>`. */
const granted: readonly string[] = clusterRole.rules.flatMap(
  ({ apiGroups, resources, verbs, resourceNames }: Rule) =>
    apiGroups.flatMap((apiGroup) =>
      resources.flatMap((resource) => {
        const named = resourceNames === undefined ? resource : `${resource}/${resourceNames}`;
        return verbs.map((verb) => formatPermission({ apiGroup, resource: named, verb }));
      }),
    ),
);

function formatPermission({
  apiGroup,
  resource,
  verb,
}: Omit<Permission, "verb"> & { readonly verb: string }) {
  return `${apiGroup}/${resource} ${verb}`;
}

/** Collects the permissions that plans require, over many generated clusters with all gates enabled. */
function listPlanPermissions(): ReadonlySet<string> {
  const rights = new Set<string>();
  const note = (effects: readonly Effect[]) => {
    for (const effect of effects)
      for (const right of permissionsFor(effect)) rights.add(formatPermission(right));
  };
  const property = fc.property(clusters(), ({ jobSet, others, context }) => {
    const plan = reconcile(createSnapshot([jobSet, ...others], { kinds: "all" }), jobSet, context);
    note(plan.steps.flatMap(({ effects }) => effects));
  });
  fc.assert(property, { numRuns: runs(500), seed: 7 });

  // A leader in one rack, and a follower that selects another rack.
  const exclusive = { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" };
  const leader = aPod("train-workers-0-0-aaaaa")
    .withAnnotations({ ...exclusive, "batch.kubernetes.io/job-completion-index": "0" })
    .withSpec({ nodeName: "n1" });
  const follower = aPod("train-workers-0-1-bbbbb")
    .withAnnotations({ ...exclusive, "batch.kubernetes.io/job-completion-index": "1" })
    .withSpec({ nodeSelector: { rack: "b" } });
  const job = aJob("train-workers-0");
  const node = aNode("n1").withLabels({ rack: "a" });
  const snapshot = createSnapshot([aJobSet("train"), job, node, leader, follower], {
    kinds: "all",
  });
  const repair = reconcilePlacement(snapshot, leader, createContext({ now: 0 }));
  note(repair.steps.flatMap(({ effects }) => effects));
  return rights;
}

describe("the controller's role", () => {
  const forReading = cachedKinds.flatMap(({ apiVersion, kind }) => {
    const [group, version] = apiVersion.split("/");
    const apiGroup = version === undefined ? "" : (group ?? "");
    return ["list", "watch"].map((verb) =>
      formatPermission({ apiGroup, resource: `${kind.toLowerCase()}s`, verb }),
    );
  });
  const forEvents = ["create", "patch"].map((verb) => `events.k8s.io/events ${verb}`);
  const forCertificate = documents("webhooks.yaml")
    .filter(({ kind }) => kind.endsWith("WebhookConfiguration"))
    .flatMap(({ kind, metadata }) => {
      const what = `admissionregistration.k8s.io/${kind.toLowerCase()}s/${metadata.name}`;
      return ["get", "patch"].map((verb) => `${what} ${verb}`);
    });

  it("the controller's role allows exactly the requests of plans, watches, Events and webhook configurations", () => {
    const needed = [...listPlanPermissions(), ...forReading, ...forEvents, ...forCertificate];
    expect([...granted].sort()).toEqual(needed.sort());
  });

  it("the controller's role allows access to one Lease only", () => {
    const { metadata, rules } = documents("rbac.yaml").find(({ kind }) => kind === "Role");
    expect(metadata.namespace).toBe("jobset-system");
    const leases = { apiGroups: ["coordination.k8s.io"], resources: ["leases"] };
    const ofLeases = rules.filter(({ resources }: Rule) => resources.includes("leases"));
    expect(ofLeases).toEqual([
      { ...leases, resourceNames: ["jobset-controller"], verbs: ["get", "update"] },
      { ...leases, verbs: ["create"] },
    ]);
  });

  it("the controller's role is bound to the controller's own service account", () => {
    const bindings = documents("rbac.yaml").filter(({ kind }) => kind.endsWith("Binding"));
    for (const { roleRef, subjects } of bindings) {
      expect(roleRef.name).toBe("jobset-controller");
      expect(subjects).toEqual([
        { kind: "ServiceAccount", name: "jobset-controller", namespace: "jobset-system" },
      ]);
    }
    expect(bindings).toHaveLength(2);
  });
});

describe("the CustomResourceDefinition", () => {
  it("the manifest of the CustomResourceDefinition is the one that the library uses", () => {
    expect(documents("crd.yaml")).toEqual([JSON.parse(JSON.stringify(customResourceDefinition()))]);
  });
});

describe("the webhook configurations", () => {
  const webhooks = documents("webhooks.yaml").flatMap(({ webhooks = [] }) => webhooks);

  it("the webhook configurations select JobSets, and the Pods of JobSets", () => {
    expect(
      webhooks.map(({ name, rules: [rule] }) => [name, rule.resources, rule.operations]),
    ).toEqual([
      ["mjobset.kb.io", ["jobsets"], ["CREATE"]],
      ["mpod.kb.io", ["pods"], ["CREATE"]],
      ["vjobset.kb.io", ["jobsets"], ["CREATE", "UPDATE"]],
      ["vpod.kb.io", ["pods"], ["CREATE"]],
    ]);
    const selectors = webhooks
      .filter(({ name }) => name.includes("pod"))
      .map(({ objectSelector }) => objectSelector);
    for (const { matchExpressions } of selectors) {
      expect(matchExpressions).toEqual([
        { key: "jobset.sigs.k8s.io/jobset-name", operator: "Exists" },
      ]);
    }
  });

  it("the validating Pod webhook is called only for Pods under exclusive placement", () => {
    const conditions = webhooks.map(({ name, matchConditions = [] }) => [name, matchConditions]);
    const expression =
      "has(object.metadata.annotations) && 'alpha.jobset.sigs.k8s.io/exclusive-topology' in object.metadata.annotations";
    expect(Object.fromEntries(conditions)).toEqual({
      "mjobset.kb.io": [],
      "mpod.kb.io": [],
      "vjobset.kb.io": [],
      "vpod.kb.io": [{ name: "exclusive-placement", expression }],
    });
  });

  it("the webhook configurations reject a JobSet if the webhooks are unreachable", () => {
    for (const { failurePolicy, sideEffects } of webhooks) {
      expect([failurePolicy, sideEffects]).toEqual(["Fail", "None"]);
    }
  });
});

describe("the Deployment", () => {
  const [{ spec }] = documents("deployment.yaml");
  const { spec: podSpec, metadata } = spec.template;
  const [{ args, ports, readinessProbe, livenessProbe, volumeMounts }] = podSpec.containers;
  vi.stubEnv("KUBERNETES_SERVICE_HOST", "10.0.0.1");
  const options = readOptions(args, "me");
  vi.unstubAllEnvs();
  const portNamed = (expected: string) =>
    ports.find(({ name }: { name: string }) => name === expected).containerPort;

  it("the Deployment starts all parts of the program, with leader election", () => {
    expect(options.controllers).toEqual(new Set(["jobset", "pod"]));
    expect(options.leaderElection?.namespace).toBe("jobset-system");
    expect(podSpec.serviceAccountName).toBe(clusterRoleBinding.subjects[0].name);
  });

  it("the Deployment exposes the ports of webhooks, probes and metrics", () => {
    const { webhook, healthPort, metricsPort } = options;
    expect(webhook).toEqual({
      host: "0.0.0.0",
      port: portNamed("webhooks"),
      certDir: volumeMounts[0].mountPath,
    });
    expect([healthPort, metricsPort]).toEqual([portNamed("health"), portNamed("metrics")]);
    expect([livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
      { path: "/healthz", port: "health" },
      { path: "/readyz", port: "health" },
    ]);
  });

  it("the Deployment mounts the Secret of the certificate, and the role allows writing no other Secret", () => {
    const [secret, service] = documents("webhooks.yaml");
    const { name, namespace } = secret.metadata;
    expect(secret.data).toBeUndefined();
    expect(options.managesCertificate).toBe(true);
    expect(podSpec.volumes[0].secret.secretName).toBe(name);
    expect({ name, namespace }).toEqual(service.metadata);
    const role = documents("rbac.yaml").find(({ kind }) => kind === "Role");
    const rules = role.rules.filter(({ resources }: Rule) => resources.includes("secrets"));
    expect(role.metadata.namespace).toBe(namespace);
    expect(role.rules).toHaveLength(3);
    expect(rules).toEqual([
      { apiGroups: [""], resources: ["secrets"], resourceNames: [name], verbs: ["get", "update"] },
    ]);
  });

  it("the Deployment has a memory limit", () => {
    expect(podSpec.containers[0].resources.limits).toEqual({ memory: "1Gi" });
  });

  it("the Service of the webhook configurations selects the Deployment", () => {
    const [, service, ...configurations] = documents("webhooks.yaml");
    expect(service.spec.selector).toEqual(metadata.labels);
    expect(service.spec.ports).toEqual([{ port: 443, targetPort: portNamed("webhooks") }]);
    const { name, namespace } = service.metadata;
    const webhooks = configurations.flatMap(({ webhooks }) => webhooks);
    expect(webhooks).toHaveLength(4);
    for (const { clientConfig } of webhooks) {
      expect(clientConfig.service).toMatchObject({ name, namespace });
    }
  });
});
