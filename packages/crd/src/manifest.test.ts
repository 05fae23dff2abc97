import { JOBSET_API_VERSION, JOBSET_KIND } from "@jobset-ts/api/keys";
import { parseJobSet } from "@jobset-ts/api/schema";
import { describe, expect, it } from "vitest";
import { formatSchemaError, type SchemaError } from "./admit-by-schema.ts";
import { constraints } from "./constraints.ts";
import { customResourceDefinition } from "./manifest.ts";
import { openAPIV3Schema } from "./openapi-v3-schema.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { schemaErrors } from "./validation.ts";

/** Returns the node at a path of member names. `[]` selects the elements of a list, `{}` the values of a map. */
function nodeAt(path: string): StructuralSchema {
  let node: StructuralSchema | undefined = openAPIV3Schema();
  for (const step of path.split(".")) {
    if (step === "[]") node = node?.items;
    else if (step === "{}") node = node?.additionalProperties;
    else node = node?.properties?.[step];
  }
  if (node === undefined) throw new Error(`nothing at ${path}`);
  return node;
}

/** Returns every node of the schema, once for each use. */
function* nodes(node: StructuralSchema): Generator<StructuralSchema> {
  yield node;
  const { properties = {}, additionalProperties, items } = node;
  for (const below of [...Object.values(properties), additionalProperties, items]) {
    if (below !== undefined) yield* nodes(below);
  }
}

describe("openAPIV3Schema", () => {
  it("openAPIV3Schema describes a ReplicatedJob with its defaults, limits and keys", () => {
    expect(nodeAt("spec.replicatedJobs")).toMatchObject({
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { required: ["name", "template"] },
    });
    expect(nodeAt("spec.replicatedJobs.[].replicas")).toEqual({
      type: "integer",
      format: "int32",
      default: 1,
      minimum: 0,
    });
  });

  it("openAPIV3Schema describes metadata only as an object, and keeps five members of a template's metadata", () => {
    expect(nodeAt("metadata")).toEqual({ type: "object" });
    const template = nodeAt("spec.replicatedJobs.[].template.metadata").properties ?? {};
    expect(Object.keys(template)).toEqual([
      "name",
      "namespace",
      "labels",
      "annotations",
      "finalizers",
    ]);
  });

  it("openAPIV3Schema applies the constraints of a type to the members that it embeds, too", () => {
    const pod = "spec.replicatedJobs.[].template.spec.template.spec";
    expect(nodeAt(`${pod}.volumes.[].configMap.name`)).toEqual({ type: "string", default: "" });
    expect(nodeAt(`${pod}.ephemeralContainers.[].env`)).toHaveProperty(
      "x-kubernetes-list-map-keys",
      ["name"],
    );
  });

  it("openAPIV3Schema is one value that is frozen at every level", () => {
    expect(openAPIV3Schema()).toBe(openAPIV3Schema());
    for (const node of nodes(openAPIV3Schema())) expect(Object.isFrozen(node)).toBe(true);
  });

  it("openAPIV3Schema is structural: every node has a type, lists have items, and list keys are required or have defaults", () => {
    for (const node of nodes(openAPIV3Schema())) {
      expect(node.type ?? node["x-kubernetes-int-or-string"]).toBeDefined();
      expect(node.properties && node.additionalProperties).toBeUndefined();
      if (node.type === "array") expect(node.items).toBeDefined();
      for (const key of node["x-kubernetes-list-map-keys"] ?? []) {
        const isSure = node.items?.required?.includes(key);
        expect(isSure || node.items?.properties?.[key]?.default !== undefined).toBe(true);
      }
    }
  });

  it("openAPIV3Schema uses every declared constraint", () => {
    const used = new Set<unknown>();
    for (const node of nodes(openAPIV3Schema())) {
      for (const fact of Object.values(node)) used.add(JSON.stringify(fact));
    }
    for (const { items, keys, rules, set, ...limits } of Object.values(constraints)) {
      const facts = [...Object.values(limits), keys, rules, items?.["x-kubernetes-validations"]];
      if (set === true) facts.push("set");
      for (const fact of facts.filter((one) => one !== undefined)) {
        expect(used).toContain(JSON.stringify(fact));
      }
    }
  });
});

/** Every position in a JobSet whose schema lists the values, with a value that is not in the list. */
const fieldsOutsideLists = {
  apiVersion: JOBSET_API_VERSION,
  kind: JOBSET_KIND,
  metadata: { name: "train" },
  spec: {
    replicatedJobs: [
      {
        name: "workers",
        template: { spec: { template: {} } },
        dependsOn: [{ name: "driver", status: "" }],
      },
    ],
    successPolicy: { operator: "" },
    failurePolicy: { restartStrategy: "", rules: [{ name: "rule", action: "" }] },
    startupPolicy: { startupPolicyOrder: "" },
    volumeClaimPolicies: [{ retentionPolicy: { whenDeleted: "" } }],
  },
  status: {
    restarts: 0,
    conditions: [
      {
        type: "A",
        status: "",
        lastTransitionTime: "2026-02-07T06:56:19Z",
        reason: "A",
        message: "",
      },
    ],
  },
};

describe("the values that the schema lists", () => {
  const listRejectedLists = (errors: readonly SchemaError[]) =>
    errors.filter(({ type }) => type === "FieldValueNotSupported").map(formatSchemaError);

  it("the values that the schema lists are those of the type JobSet", () => {
    const parsed = parseJobSet(fieldsOutsideLists);
    const ofType = listRejectedLists(parsed.ok ? [] : parsed.errors);
    const ofSchema = listRejectedLists(schemaErrors(fieldsOutsideLists, openAPIV3Schema()).errors);
    expect(ofSchema.toSorted()).toEqual(ofType.toSorted());
    expect(ofType).toHaveLength(Object.values(constraints).filter((one) => one.enum).length);
  });
});

describe("customResourceDefinition", () => {
  it("the CRD serves and stores one version of a namespaced kind with a status subresource", () => {
    const { metadata, spec } = customResourceDefinition();
    expect(metadata.name).toBe(`${spec.names.plural}.${spec.group}`);
    expect(spec).toMatchObject({
      group: "jobset.x-k8s.io",
      names: { kind: "JobSet", listKind: "JobSetList", plural: "jobsets", singular: "jobset" },
      scope: "Namespaced",
    });
    expect(spec.versions).toHaveLength(1);
    expect(spec.versions[0]).toMatchObject({
      name: "v1alpha2",
      served: true,
      storage: true,
      subresources: { status: {} },
    });
  });

  it("customResourceDefinition prints five columns after the name", () => {
    const [version] = customResourceDefinition().spec.versions;
    expect(version.additionalPrinterColumns.map(({ name }) => name)).toEqual([
      "TerminalState",
      "Restarts",
      "Completed",
      "Suspended",
      "Age",
    ]);
  });

  it("customResourceDefinition is plain JSON", () => {
    const manifest = customResourceDefinition();
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest);
  });
});
