// Tests that the manifests grant exactly what the proxy needs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { matchesRequiredObject, type RequiredObject, requiredObjects } from "@jobset-ts/admission";
import { WEBHOOK_PATHS } from "@jobset-ts/admission/http";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { resourceForKind } from "@jobset-ts/core/requests";
import { jobSets, podAdmissionRequests } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { runs } from "../../../packages/testing/src/testing/runs.ts";

const manifests = join(import.meta.dirname, "..", "manifests");

// biome-ignore lint/suspicious/noExplicitAny: the test reads single fields of the manifests
type Manifest = any;

function documents(file: string, folder = manifests): readonly Manifest[] {
  const text = readFileSync(join(folder, file), "utf8");
  return parseAllDocuments(text).map((document) => document.toJS());
}

function manifest(file: string, kind: string): Manifest {
  return documents(file).find((one) => one.kind === kind);
}

/** Formats a permission as `<group>/<resource> <verb>`. */
function formatPermission({ apiVersion, kind, name }: RequiredObject): string {
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0] : "";
  return `${group}/${resourceForKind(kind)} ${name === undefined ? "list" : "get"}`;
}

const context = createContext({ now: 0 });
const operations = ["CREATE", "UPDATE", "DELETE"] as const;

/** Collects the permissions for all reads of one review, round by round. */
function listPermissions(
  object: KubernetesObject,
  objects: readonly KubernetesObject[],
  operation: string,
): readonly string[] {
  const [version = "", group = ""] = object.apiVersion.split("/").reverse();
  const kind = { group, version, kind: object.kind };
  const old = operation === "CREATE" ? null : object;
  const request = {
    uid: "u-1",
    kind,
    operation,
    object: operation === "DELETE" ? null : object,
    oldObject: old,
  };
  const review = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
  return [...WEBHOOK_PATHS.values()].flatMap(({ stage }) => {
    const rights: string[] = [];
    const kinds: string[] = [];
    const read: KubernetesObject[] = [];
    for (;;) {
      const missing = requiredObjects(review, createSnapshot(read, { kinds }), context, { stage });
      if (missing.length === 0) return rights;
      rights.push(...missing.map(formatPermission));
      kinds.push(...missing.map(({ kind }) => kind));
      read.push(
        ...objects.filter((one) =>
          missing.some((expected) => matchesRequiredObject(one, expected)),
        ),
      );
    }
  });
}

describe("the proxy's role", () => {
  const granted: readonly string[] = manifest("rbac.yaml", "ClusterRole").rules.flatMap(
    ({ apiGroups, resources, verbs }: Record<string, string[]>) =>
      apiGroups?.flatMap((group) =>
        resources?.flatMap((resource) => verbs?.map((verb) => `${group}/${resource} ${verb}`)),
      ),
  );

  it("the proxy's role allows exactly the reads of many generated reviews", () => {
    const needed = new Set<string>();
    const reviews = fc.oneof(
      podAdmissionRequests().map(({ pod, objects }) => ({
        object: pod as KubernetesObject,
        objects,
      })),
      jobSets().map((jobSet) => ({ object: jobSet as KubernetesObject, objects: [] })),
    );
    const property = fc.property(
      reviews,
      fc.constantFrom(...operations),
      ({ object, objects }, operation) => {
        for (const right of listPermissions(object, objects, operation)) needed.add(right);
      },
    );
    fc.assert(property, { numRuns: runs(250), seed: 7 });
    expect([...granted].sort()).toEqual([...needed].sort());
  });

  it("the proxy's role is bound to the service account of the proxy", () => {
    const { roleRef, subjects } = manifest("rbac.yaml", "ClusterRoleBinding");
    const { metadata } = manifest("rbac.yaml", "ServiceAccount");
    const { template } = manifest("deployment.yaml", "Deployment").spec;
    expect(roleRef.name).toBe(manifest("rbac.yaml", "ClusterRole").metadata.name);
    expect(subjects).toEqual([{ kind: "ServiceAccount", ...metadata }]);
    expect(template.spec.serviceAccountName).toBe(metadata.name);
  });
});

it("the proxy's Deployment has a memory limit", () => {
  const [container] = manifest("deployment.yaml", "Deployment").spec.template.spec.containers;
  expect(container.resources.limits).toEqual({ memory: "512Mi" });
});

describe("the proxy's webhook configurations", () => {
  const configured = (folder: string) =>
    documents("webhooks.yaml", folder)
      .flatMap(({ webhooks = [] }) => webhooks)
      .map(({ clientConfig, ...webhook }: Manifest) => {
        return { ...webhook, path: clientConfig.service.path };
      });

  it("the proxy's webhook configurations are those of the example controller", () => {
    const controllers = configured(join(manifests, "..", "..", "controller", "manifests"));
    expect(configured(manifests)).toEqual(controllers);
    expect(controllers).toHaveLength(WEBHOOK_PATHS.size);
  });

  it("the proxy's webhook configurations point to the proxy's Service", () => {
    const service = manifest("webhooks.yaml", "Service");
    const { metadata, spec } = manifest("deployment.yaml", "Deployment");
    const [container] = spec.template.spec.containers;
    const { name, namespace } = service.metadata;
    const reached = documents("webhooks.yaml")
      .flatMap(({ webhooks = [] }) => webhooks)
      .map(({ clientConfig }: Manifest) => clientConfig.service);
    for (const one of reached) expect(one).toMatchObject({ name, namespace });
    expect(service.spec.selector).toEqual(spec.template.metadata.labels);
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
    expect(metadata.namespace).toBe(namespace);
    expect(service.spec.ports[0].targetPort).toBe(container.ports[0].containerPort);
    expect(container.args).toContain(String(container.ports[0].containerPort));
  });
});
