import { aJob, aPod } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { unpackObjects } from "./unpack.ts";

const pod = aPod("train-w-0-0-abcde");
const job = aJob("train-w-0");
/** A Pod as an item of a list from a server. */
const { apiVersion: _, kind: __, ...podWithoutKind } = pod;

/** Returns the errors for invalid objects, without the objects. */
function listInvalidObjects(...objects: readonly unknown[]) {
  return unpackObjects(objects).invalidObjects.map(({ at, message }) => `${at} ${message}`);
}

describe("unpackObjects", () => {
  it("unpackObjects returns objects by kind", () => {
    expect(unpackObjects([pod, job])).toEqual({
      unpacked: [
        { apiVersion: "v1", kind: "Pod", object: pod },
        { apiVersion: "batch/v1", kind: "Job", object: job },
      ],
      lists: [],
      invalidObjects: [],
    });
  });

  it("unpackObjects returns the same objects", () => {
    expect(unpackObjects([pod]).unpacked[0]?.object).toBe(pod);
    const list = { apiVersion: "v1", kind: "PodList", items: [podWithoutKind] };
    expect(unpackObjects([list]).unpacked[0]?.object).toBe(podWithoutKind);
  });

  it("unpackObjects gives items without a kind the kind of their list", () => {
    const { unpacked, lists } = unpackObjects([
      { apiVersion: "v1", kind: "PodList", items: [podWithoutKind, job] },
    ]);
    expect(unpacked.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      "v1 Pod",
      "batch/v1 Job",
    ]);
    expect(lists).toEqual([{ apiVersion: "v1", kind: "Pod" }]);
  });

  it("unpackObjects accepts a list of mixed kinds", () => {
    const { unpacked, lists } = unpackObjects([{ apiVersion: "v1", kind: "List", items: [pod] }]);
    expect(unpacked).toHaveLength(1);
    expect(lists).toEqual([]);
    expect(listInvalidObjects({ apiVersion: "v1", kind: "List", items: [podWithoutKind] })).toEqual(
      ["[0].items[0] has no kind"],
    );
  });

  it.each([[[]], [null], [undefined]])("unpackObjects reads items %j as an empty list", (items) => {
    expect(unpackObjects([{ apiVersion: "v1", kind: "PodList", items }])).toEqual({
      unpacked: [],
      lists: [{ apiVersion: "v1", kind: "Pod" }],
      invalidObjects: [],
    });
  });

  it("unpackObjects accepts an object whose kind ends in List", () => {
    const object = { apiVersion: "example.com/v1", kind: "AllowList", metadata: { name: "a" } };
    expect(unpackObjects([object]).unpacked).toEqual([
      { apiVersion: "example.com/v1", kind: "AllowList", object },
    ]);
  });

  it("unpackObjects reports where and why an object is invalid", () => {
    const createPodWithMetadata = (metadata: unknown) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata,
    });
    expect(
      listInvalidObjects(
        null,
        "train",
        [pod],
        {},
        { kind: "", apiVersion: "v1" },
        { kind: "Pod" },
        { kind: "Pod", apiVersion: 1 },
        createPodWithMetadata(undefined),
        createPodWithMetadata({ name: "" }),
        createPodWithMetadata({ name: 5 }),
        createPodWithMetadata({ name: "a", namespace: 5 }),
        { kind: "PodList", apiVersion: "v1", items: "none" },
        pod,
        { kind: "PodList", apiVersion: "v1", items: [podWithoutKind, null, {}] },
      ),
    ).toEqual([
      "[0] is not an object",
      "[1] is not an object",
      "[2] is not an object",
      "[3] has no kind",
      "[4] has no kind",
      "[5] has no apiVersion",
      "[6] has no apiVersion",
      "[7] has no metadata.name",
      "[8] has no metadata.name",
      "[9] has no metadata.name",
      "[10] has a metadata.namespace that is not text",
      "[11] has no metadata.name",
      "[13].items[1] is not an object",
      "[13].items[2] has no metadata.name",
    ]);
  });

  it("unpackObjects returns the invalid values", () => {
    const invalidObject = { kind: "Pod" };
    expect(unpackObjects([pod, invalidObject]).invalidObjects[0]?.object).toBe(invalidObject);
  });

  it("unpackObjects reads a null namespace as absent", () => {
    const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n1", namespace: null } };
    expect(unpackObjects([node]).unpacked).toHaveLength(1);
  });

  it("unpackObjects accepts any iterable and rejects values that are not lists of objects", () => {
    expect(unpackObjects(new Set([pod])).unpacked).toHaveLength(1);
    for (const invalidObject of ["text", 5, { kind: "PodList", items: [] }] as never[]) {
      expect(unpackObjects(invalidObject).invalidObjects).toEqual([
        { at: "", message: "is not an array or other iterable of objects", object: invalidObject },
      ]);
    }
    expect(unpackObjects(null).invalidObjects).toEqual([]);
  });

  it("unpackObjects starts each path with its path argument", () => {
    expect(unpackObjects([null], "put").invalidObjects[0]?.at).toBe("put[0]");
    expect(unpackObjects(5 as never, "put").invalidObjects[0]?.at).toBe("put");
  });
});
