import type { KubernetesObject } from "@jobset-ts/api";
import {
  answersOf,
  clusterObjects,
  deepFreeze,
  frozenPart,
  snapshotQuestions,
} from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Snapshot, snapshotOf } from "./snapshot.ts";

/** What names an object in a cluster. */
function identityOf({ apiVersion, kind, metadata }: KubernetesObject): string {
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0] : "";
  return JSON.stringify([group, kind, metadata.namespace ?? "", metadata.name]);
}

const clusters = fc.uniqueArray(clusterObjects(), { selector: identityOf, maxLength: 12 });

/** One change of the cluster, and the questions that somebody asks before it: none, some or all. */
const steps = fc.record({
  asked: fc.oneof(
    fc.constant([]),
    fc.subarray([...snapshotQuestions.keys()], { maxLength: 5 }),
    fc.constant([...snapshotQuestions.keys()]),
  ),
  put: fc.array(clusterObjects(), { maxLength: 3 }),
  remove: fc.array(clusterObjects(), { maxLength: 2 }),
});

describe("a snapshot", () => {
  it("does not show the order in which objects were listed", () => {
    const relisted = clusters.chain((objects) =>
      fc.tuple(
        fc.constant(objects),
        fc.shuffledSubarray(objects, { minLength: objects.length, maxLength: objects.length }),
      ),
    );
    fc.assert(
      fc.property(relisted, ([objects, others]) => {
        expect(answersOf(snapshotOf(others))).toEqual(answersOf(snapshotOf(objects)));
      }),
      { numRuns: 50 },
    );
  });

  it("after any changes equals one that is built afresh, and the earlier ones stay as they were", () => {
    fc.assert(
      fc.property(clusters, fc.array(steps, { maxLength: 6 }), (objects, changes) => {
        let model = new Map(objects.map((object) => [identityOf(object), object]));
        const kinds = new Set(objects.map(kindOf));
        const first = { snapshot: snapshotOf(objects), model, kinds: [...kinds] };
        const versions = [first];
        const early: [Snapshot, unknown][] = [];
        for (const { asked, put, remove } of changes) {
          const { snapshot } = versions.at(-1) ?? first;
          for (const question of asked) snapshotQuestions.get(question)?.(snapshot);
          if (asked.length === snapshotQuestions.size) early.push([snapshot, answersOf(snapshot)]);
          model = new Map(model);
          for (const object of remove) model.delete(identityOf(object));
          for (const object of put) model.set(identityOf(object), object);
          for (const object of put) kinds.add(kindOf(object));
          versions.push({ snapshot: snapshot.with({ put, remove }), model, kinds: [...kinds] });
        }
        for (const version of versions) {
          const afresh = snapshotOf([...version.model.values()], { kinds: version.kinds });
          expect(answersOf(version.snapshot)).toEqual(answersOf(afresh));
        }
        for (const [snapshot, answers] of early) expect(answersOf(snapshot)).toEqual(answers);
      }),
      { numRuns: 60 },
    );
  });

  it("leaves objects unfrozen and as they were, and takes frozen ones", () => {
    fc.assert(
      fc.property(clusters, clusters, (objects, changed) => {
        const text = JSON.stringify([objects, changed]);
        const askAll = () =>
          answersOf(snapshotOf(objects).with({ put: changed, remove: objects.slice(0, 2) }));
        const answers = askAll();
        expect(objects.map((object) => frozenPart(object)).filter(Boolean)).toEqual([]);
        expect(changed.map((object) => frozenPart(object)).filter(Boolean)).toEqual([]);
        expect(JSON.stringify([objects, changed])).toBe(text);
        deepFreeze([objects, changed]);
        expect(askAll()).toEqual(answers);
      }),
      { numRuns: 30 },
    );
  });
});

/** The name under which a snapshot files the kind. */
function kindOf({ apiVersion, kind }: KubernetesObject): string {
  return apiVersion.startsWith("batch.volcano.sh") ? `${kind}.batch.volcano.sh` : kind;
}
