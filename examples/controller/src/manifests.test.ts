// What is shipped to install the controller says no more and no less than the library needs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { customResourceDefinition } from "@jobset-ts/api/crd";
import {
  contextOf,
  type Effect,
  type Permission,
  permissionsFor,
  reconcile,
  reconcilePlacement,
  snapshotOf,
} from "@jobset-ts/core";
import { aJob, aJobSet, aNode, aPod, clusters } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { cachedKinds } from "./cluster-cache.ts";

const manifests = join(import.meta.dirname, "..", "manifests");

// biome-ignore lint/suspicious/noExplicitAny: the manifests are looked at member by member
function documents(file: string): readonly any[] {
  const text = readFileSync(join(manifests, file), "utf8");
  return parseAllDocuments(text).map((document) => document.toJS());
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const clusterRole = documents("rbac.yaml").find(({ kind }) => kind === "ClusterRole");

/** Each right by itself, as `<group>/<resource> <verb>`. */
const granted: readonly string[] = clusterRole.rules.flatMap(
  ({ apiGroups, resources, verbs }: Rule) =>
    apiGroups.flatMap((apiGroup) =>
      resources.flatMap((resource) => verbs.map((verb) => textOf({ apiGroup, resource, verb }))),
    ),
);

function textOf({
  apiGroup,
  resource,
  verb,
}: Omit<Permission, "verb"> & { readonly verb: string }) {
  return `${apiGroup}/${resource} ${verb}`;
}

/** The rights that plans take, over very many clusters, all gates on. */
function rightsOfPlans(): ReadonlySet<string> {
  const rights = new Set<string>();
  const note = (effects: readonly Effect[]) => {
    for (const effect of effects)
      for (const right of permissionsFor(effect)) rights.add(textOf(right));
  };
  const property = fc.property(clusters(), ({ jobSet, others, context }) => {
    const plan = reconcile(snapshotOf([jobSet, ...others]), jobSet, context);
    note(plan.steps.flatMap(({ effects }) => effects));
    if (plan.status !== undefined) rights.add("jobset.x-k8s.io/jobsets/status update");
  });
  fc.assert(property, { numRuns: 3_000, seed: 7 });

  // A leader in one rack whose follower is sent to another.
  const exclusive = { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" };
  const leader = aPod("train-workers-0-0-aaaaa")
    .withAnnotations({ ...exclusive, "batch.kubernetes.io/job-completion-index": "0" })
    .withSpec({ nodeName: "n1" });
  const follower = aPod("train-workers-0-1-bbbbb")
    .withAnnotations({ ...exclusive, "batch.kubernetes.io/job-completion-index": "1" })
    .withSpec({ nodeSelector: { rack: "b" } });
  const job = aJob("train-workers-0");
  const node = aNode("n1").withLabels({ rack: "a" });
  const snapshot = snapshotOf([aJobSet("train"), job, node, leader, follower]);
  const repair = reconcilePlacement(snapshot, leader, contextOf({ now: 0 }));
  note(repair.steps.flatMap(({ effects }) => effects));
  return rights;
}

describe("the controller's role", () => {
  const forReading = cachedKinds.flatMap(({ apiVersion, kind }) => {
    const [group, version] = apiVersion.split("/");
    const apiGroup = version === undefined ? "" : (group ?? "");
    return ["list", "watch"].map((verb) =>
      textOf({ apiGroup, resource: `${kind.toLowerCase()}s`, verb }),
    );
  });
  const forEvents = ["create", "patch"].map((verb) => `events.k8s.io/events ${verb}`);

  it("allows what plans contain, what is watched and reported, and nothing else", () => {
    const needed = [...rightsOfPlans(), ...forReading, ...forEvents];
    expect([...granted].sort()).toEqual(needed.sort());
  });

  it("is bound to the controller's own account", () => {
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
  it("is the one that the library admits by", () => {
    expect(documents("crd.yaml")).toEqual([JSON.parse(JSON.stringify(customResourceDefinition()))]);
  });
});

describe("the webhooks", () => {
  const webhooks = documents("webhooks.yaml").flatMap(({ webhooks = [] }) => webhooks);

  it("are asked about JobSets, and about those Pods that belong to one", () => {
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

  it("keep a JobSet out when they cannot be reached", () => {
    for (const { failurePolicy, sideEffects } of webhooks) {
      expect([failurePolicy, sideEffects]).toEqual(["Fail", "None"]);
    }
  });
});
