import { JOB_COMPLETION_INDEX_KEY, JOB_KEY_KEY, PRIORITY_KEY } from "@jobset-ts/api/keys";
import { createSnapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import {
  aFollower,
  aLeader,
  contextWithQuirks,
  createCluster,
  zone,
} from "./testdata/zone-pods.ts";
import { listRules, mutateAllowed } from "./testing/mutate-allowed.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";

describe("a leader", () => {
  const leader = aLeader()
    .withLabels({ [JOB_KEY_KEY]: "js-rjob-0" })
    .withSpec({ priority: 100 });
  const attraction = {
    labelSelector: {
      matchExpressions: [{ key: JOB_KEY_KEY, operator: "In", values: ["js-rjob-0"] }],
    },
    topologyKey: zone,
    namespaceSelector: {},
  };
  const repulsion = {
    labelSelector: {
      matchExpressions: [
        { key: JOB_KEY_KEY, operator: "Exists" },
        { key: JOB_KEY_KEY, operator: "NotIn", values: ["js-rjob-0"] },
        { key: PRIORITY_KEY, operator: "In", values: ["100"] },
      ],
    },
    topologyKey: zone,
    namespaceSelector: {},
  };

  it("a leader gets an affinity term for its Job and an anti-affinity term against other Jobs of its priority", () => {
    const { object, decisions } = mutateAllowed(leader);
    expect(object.spec?.affinity).toEqual({
      podAffinity: { [required]: [attraction] },
      podAntiAffinity: { [required]: [repulsion] },
    });
    expect(object.metadata?.labels?.[PRIORITY_KEY]).toBe("100");
    expect(decisions).toEqual([
      {
        rule: "PriorityLabelled",
        message: `label ${PRIORITY_KEY} becomes "100" for the Pod's priority`,
      },
      {
        rule: "DomainReserved",
        message: `the leader gets affinity terms that reserve its ${zone} for its Job`,
      },
    ]);
  });

  it("a leader keeps the terms of its template before the added ones", () => {
    const own = { topologyKey: "rack", labelSelector: { matchLabels: { app: "x" } } };
    const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] };
    const nodeAffinity = { [required]: { nodeSelectorTerms: [] } };
    const affinity = {
      nodeAffinity,
      podAffinity: { ...preferred, [required]: [own] },
      podAntiAffinity: { [required]: [own, own] },
    };
    expect(mutateAllowed(leader.withSpec({ affinity })).object.spec?.affinity).toEqual({
      nodeAffinity,
      podAffinity: { ...preferred, [required]: [own, attraction] },
      podAntiAffinity: { [required]: [own, own, repulsion] },
    });
  });

  it("the affinity terms of a leader have an empty value if the job key or the priority is absent", () => {
    const { object } = mutateAllowed(aLeader().withLabels({ [JOB_KEY_KEY]: undefined }));
    const terms = JSON.stringify(object.spec?.affinity);
    expect(terms).toContain(`{"key":"${JOB_KEY_KEY}","operator":"In","values":[""]}`);
    expect(terms).toContain(`{"key":"${PRIORITY_KEY}","operator":"In","values":[""]}`);
  });

  it("a leader with an empty topology key gets terms with an empty key", () => {
    const { object } = mutateAllowed(aLeader().exclusive(""));
    expect(object.spec?.affinity?.podAffinity?.[required]?.[0]?.topologyKey).toBe("");
  });

  it("mutatePod does not add a term twice, except with the upstream quirk", () => {
    const { object: once } = mutateAllowed(leader);
    const twice = mutateAllowed(once);
    expect(twice.object).toBe(once);
    expect(listRules(twice)).toEqual(["DomainReserved"]);
    const second = mutateAllowed(
      once,
      createCluster(),
      contextWithQuirks("LeaderTermsAppendedAgain"),
    );
    expect(second.object.spec?.affinity).toEqual({
      podAffinity: { [required]: [attraction, attraction] },
      podAntiAffinity: { [required]: [repulsion, repulsion] },
    });
  });

  it("a leader gets only the term that is missing", () => {
    const affinity = {
      podAffinity: { [required]: [{ ...attraction, namespaces: null }] },
    } as object;
    expect(mutateAllowed(leader.withSpec({ affinity })).object.spec?.affinity).toEqual({
      ...affinity,
      podAntiAffinity: { [required]: [repulsion] },
    });
  });

  it.each([
    ["with another topology key", { ...attraction, topologyKey: "rack" }],
    [
      "of another Job",
      {
        ...attraction,
        labelSelector: {
          matchExpressions: [{ key: JOB_KEY_KEY, operator: "In", values: ["other"] }],
        },
      },
    ],
    ["with more expressions", { ...attraction, namespaces: ["ml"] }],
    ["without namespaces", { labelSelector: attraction.labelSelector, topologyKey: zone }],
  ])("a leader does not treat a term %s as its own", (_, term) => {
    const spec = { affinity: { podAffinity: { [required]: [term] } } } as object;
    const { object } = mutateAllowed(leader.withSpec(spec));
    expect(object.spec?.affinity?.podAffinity?.[required]).toEqual([term, attraction]);
  });

  it("a leader does not treat a term against Jobs of another priority as its own", () => {
    const [exists, others] = repulsion.labelSelector.matchExpressions;
    const priority = { key: PRIORITY_KEY, operator: "In", values: ["7"] };
    const labelSelector = { matchExpressions: [exists, others, priority] };
    const term = { ...repulsion, labelSelector };
    const spec = { affinity: { podAntiAffinity: { [required]: [term] } } } as object;
    const { object } = mutateAllowed(leader.withSpec(spec));
    expect(object.spec?.affinity?.podAntiAffinity?.[required]).toEqual([term, repulsion]);
  });

  it("a leader is admitted without a read of the cluster", () => {
    expect(mutateAllowed(leader, createSnapshot([])).changed).toBe(true);
  });

  it("a Pod is a leader only if its index annotation is exactly 0", () => {
    const pod = aFollower().withAnnotations({ [JOB_COMPLETION_INDEX_KEY]: "00" });
    expect(mutateAllowed(pod).object.spec?.affinity).toBeUndefined();
    const labelled = aFollower().withLabels({ [JOB_COMPLETION_INDEX_KEY]: "0" });
    expect(mutateAllowed(labelled).object.spec?.affinity).toBeUndefined();
  });
});
