import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { clusterObjects } from "../../../../testing/src/arbitraries/arbitrary-objects.ts";
import { claimSame } from "../../../../testing/src/laws/claim.ts";
import { deepFreeze, findFrozenPath } from "../../../../testing/src/testing/freezing.ts";
import type { Snapshot, SnapshotOptions } from "../../index.ts";
import { listQueryResults, snapshotQuestions } from "../reference/snapshot-answers.ts";

/** The subject of these properties: a function that creates a view of a cluster from a list of its objects. */
export type SnapshotFactory = (objects: Iterable<unknown>, options?: SnapshotOptions) => Snapshot;

/** No result of a snapshot depends on the order of the listed objects. */
export function snapshotIgnoresListOrder(subject: SnapshotFactory): fc.IProperty<unknown> {
  const relisted = objectLists().chain((objects) =>
    fc.tuple(
      fc.constant(objects),
      fc.shuffledSubarray(objects, { minLength: objects.length, maxLength: objects.length }),
    ),
  );
  return fc.property(relisted, ([objects, others]) => {
    const results = listQueryResults(subject(objects));
    claimSame(listQueryResults(subject(others)), results, "the listing order shows");
  });
}

/**
 * After any changes, a snapshot equals one that is built from the final objects, and earlier snapshots do not change.
 */
export function changesEqualNewSnapshot(subject: SnapshotFactory): fc.IProperty<unknown> {
  const changes = fc.array(arbitraryClusterChanges(), { maxLength: 6 });
  return fc.property(objectLists(), changes, (objects, steps) => {
    let model = new Map(objects.map((object) => [getIdentity(object), object]));
    const kinds = new Set(objects.map(getKind));
    let snapshot = subject(objects);
    const versions = [{ snapshot, model, kinds: [...kinds] }];
    const early: [Snapshot, unknown][] = [];
    for (const { asked, put, remove } of steps) {
      for (const question of asked) snapshotQuestions.get(question)?.(snapshot);
      if (asked.length === snapshotQuestions.size)
        early.push([snapshot, listQueryResults(snapshot)]);
      model = new Map(model);
      for (const object of remove) model.delete(getIdentity(object));
      for (const object of put) model.set(getIdentity(object), object);
      for (const object of put) kinds.add(getKind(object));
      snapshot = snapshot.with({ put, remove });
      versions.push({ snapshot, model, kinds: [...kinds] });
    }
    for (const version of versions) {
      const rebuilt = subject([...version.model.values()], { kinds: version.kinds });
      claimSame(
        listQueryResults(version.snapshot),
        listQueryResults(rebuilt),
        "it is not as built afresh",
      );
    }
    for (const [old, results] of early) {
      claimSame(listQueryResults(old), results, "an earlier snapshot has other answers");
    }
  });
}

/** A snapshot does not change or freeze its objects, and accepts frozen ones. */
export function snapshotDoesNotChangeObjects(subject: SnapshotFactory): fc.IProperty<unknown> {
  return fc.property(objectLists(), objectLists(), (objects, changed) => {
    const [input, put] = JSON.parse(JSON.stringify([objects, changed])) as KubernetesObject[][];
    const text = JSON.stringify([input, put]);
    const queryAll = () =>
      listQueryResults(subject(input ?? []).with({ put, remove: input?.slice(0, 2) }));
    const results = queryAll();
    claimSame(JSON.stringify([input, put]), text, "an object has changed");
    claimSame(
      [input, put].map((list) => findFrozenPath(list)),
      [undefined, undefined],
      "frozen",
    );
    deepFreeze([input, put]);
    claimSame(queryAll(), results, "frozen objects have other answers");
  });
}

function objectLists(): fc.Arbitrary<KubernetesObject[]> {
  return fc.uniqueArray(clusterObjects(), { selector: getIdentity, maxLength: 12 });
}

/** One change, and the queries before it: none, some or all. */
function arbitraryClusterChanges() {
  return fc.record({
    asked: fc.oneof(
      fc.constant([]),
      fc.subarray([...snapshotQuestions.keys()], { maxLength: 5 }),
      fc.constant([...snapshotQuestions.keys()]),
    ),
    put: fc.array(clusterObjects(), { maxLength: 3 }),
    remove: fc.array(clusterObjects(), { maxLength: 2 }),
  });
}

/** Returns the identity of an object in a cluster. */
function getIdentity({ apiVersion, kind, metadata }: KubernetesObject): string {
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0] : "";
  return JSON.stringify([group, kind, metadata.namespace ?? "", metadata.name]);
}

/** The name of the kind in a snapshot. */
function getKind({ apiVersion, kind }: KubernetesObject): string {
  return apiVersion.startsWith("batch.volcano.sh") ? `${kind}.batch.volcano.sh` : kind;
}
