import { formatFieldError } from "@jobset-ts/api/errors";
import { describe, expect, it } from "vitest";
import { decodeObjectMeta, decodeStoredObjectMeta } from "./object-meta.ts";
import { objectMetaErrors, objectMetaUpdateErrors } from "./object-meta-errors.ts";

describe("decodeObjectMeta", () => {
  it("decodeObjectMeta returns canonical metadata unchanged", () => {
    const metadata = {
      name: "train",
      labels: { a: "" },
      deletionGracePeriodSeconds: 0,
      ownerReferences: [{ apiVersion: "v1", kind: "K", name: "n", uid: "u", controller: true }],
    };
    expect(decodeObjectMeta(metadata)).toEqual({ ok: true, metadata });
    expect((decodeObjectMeta(metadata) as { metadata?: unknown }).metadata).toBe(metadata);
  });

  it("decodeObjectMeta drops unknown and empty members", () => {
    const metadata = { name: "", Name: "a", labels: {}, finalizers: [], generation: 0, uid: null };
    expect(decodeObjectMeta(metadata)).toEqual({ ok: true, metadata: {} });
    expect(decodeObjectMeta(null)).toEqual({ ok: true, metadata: {} });
  });

  it("decodeObjectMeta treats null as the empty value within lists and maps", () => {
    const metadata = { labels: { a: null }, finalizers: [null], ownerReferences: [null] };
    expect(decodeObjectMeta(metadata)).toEqual({
      ok: true,
      metadata: {
        labels: { a: "" },
        finalizers: [""],
        ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }],
      },
    });
  });

  it("decodeObjectMeta writes times in UTC and whole seconds, and omits missing times", () => {
    const metadata = {
      creationTimestamp: "2026-01-01T00:30:00.5+01:00",
      deletionTimestamp: "0001-01-01T00:00:00Z",
    };
    expect(decodeObjectMeta(metadata)).toEqual({
      ok: true,
      metadata: { creationTimestamp: "2025-12-31T23:30:00Z" },
    });
  });

  it.each([
    [{ name: 5 }, "number into Go struct field ObjectMeta.name of type string"],
    [{ uid: {} }, "object into Go struct field ObjectMeta.uid of type types.UID"],
    [{ labels: [] }, "array into Go struct field ObjectMeta.labels of type map[string]string"],
    [{ labels: { k: true } }, "bool into Go struct field ObjectMeta.labels of type string"],
    [{ finalizers: "x" }, "string into Go struct field ObjectMeta.finalizers of type []string"],
    [{ generation: 1.5 }, "number 1.5 into Go struct field ObjectMeta.generation of type int64"],
    [
      { ownerReferences: [1] },
      "number into Go struct field ObjectMeta.ownerReferences of type v1.OwnerReference",
    ],
    [
      { ownerReferences: [{ controller: "x" }] },
      "string into Go struct field OwnerReference.ownerReferences.controller of type bool",
    ],
    [
      { annotations: 1, creationTimestamp: [] },
      "array into Go struct field ObjectMeta.creationTimestamp of type string",
    ],
  ])("decodeObjectMeta rejects %j", (metadata, error) => {
    expect(decodeObjectMeta(metadata)).toEqual({
      ok: false,
      error: `json: cannot unmarshal ${error}`,
    });
  });

  it("decodeObjectMeta drops invalid members of stored metadata", () => {
    const metadata = { name: "a", labels: 5, finalizers: ["x"] };
    expect(decodeStoredObjectMeta(metadata)).toEqual({ name: "a", finalizers: ["x"] });
    expect(decodeStoredObjectMeta("a")).toEqual({});
  });
});

describe("objectMetaErrors", () => {
  const listErrorTexts = (metadata: Record<string, unknown>) =>
    [...objectMetaErrors({ name: "a", ...metadata })].map(formatFieldError);

  it("objectMetaErrors accepts metadata that clusters store", () => {
    expect(
      listErrorTexts({
        name: "train.v1",
        generateName: "train-",
        namespace: "ml",
        labels: { "example.com/app": "Train_1.0", app: "" },
        annotations: { "Example.com/Note": "any text" },
        finalizers: ["example.com/x", "orphan"],
        ownerReferences: [
          { apiVersion: "apps/v1", kind: "K", name: "n", uid: "u", controller: true },
        ],
      }),
    ).toEqual([]);
  });

  it("objectMetaErrors requires a name", () => {
    expect(listErrorTexts({ name: "" })).toEqual([
      "metadata.name: Required value: name or generateName is required",
    ]);
  });

  it("objectMetaErrors allows a trailing dash only in generateName", () => {
    expect(listErrorTexts({ generateName: "a-" })).toEqual([]);
    expect(listErrorTexts({ generateName: "-" })).toHaveLength(1);
    expect(listErrorTexts({ generateName: "é-" })).toHaveLength(1);
    expect(listErrorTexts({ name: "a-" })).toHaveLength(1);
  });

  it("objectMetaErrors reports all errors of names", () => {
    expect(listErrorTexts({ name: "A".repeat(254) }).map((text) => text.slice(-120))).toEqual([
      expect.stringContaining("must be no more than 253 characters"),
      expect.stringContaining("regex used for validation"),
    ]);
    expect(listErrorTexts({ namespace: "a.b" })).toEqual([
      'metadata.namespace: Invalid value: "a.b": must not contain dots',
    ]);
  });

  it("objectMetaErrors reports errors of both parts of a key and of a value", () => {
    expect(listErrorTexts({ labels: { "A/": "-" } })).toEqual([
      expect.stringMatching(/^metadata.labels: Invalid value: "A\/": prefix part a lowercase/),
      'metadata.labels: Invalid value: "A/": name part must be non-empty',
      expect.stringMatching(/^metadata.labels: Invalid value: "A\/": name part must consist of/),
      expect.stringMatching(/^metadata.labels: Invalid value: "-": a valid label must be/),
    ]);
    expect(listErrorTexts({ annotations: { "a/b/c": "" } })).toEqual([
      expect.stringMatching(/Invalid value: "a\/b\/c": a valid label key must consist of/),
    ]);
  });

  it("objectMetaErrors limits the total size of annotations", () => {
    expect(listErrorTexts({ annotations: { a: "x".repeat(256 * 1024) } })).toEqual([
      "metadata.annotations: Too long: may not be more than 262144 bytes",
    ]);
  });

  it("objectMetaErrors requires the fields of an owner reference that identify the owner", () => {
    expect(
      listErrorTexts({ ownerReferences: [{ apiVersion: "a/b/c", kind: "", name: "n" }] }),
    ).toEqual([
      'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ]);
  });

  it("objectMetaErrors rejects a second controller owner, and Events as owners", () => {
    const owner = { apiVersion: "v1", kind: "Event", name: "n", uid: "u", controller: true };
    const shown = '{"apiVersion":"v1","kind":"Event","name":"n","uid":"u","controller":true}';
    const disallowed = `metadata.ownerReferences: Invalid value: ${shown}: /v1, Kind=Event is disallowed from being an owner`;
    expect(listErrorTexts({ ownerReferences: [owner, owner] })).toEqual([
      disallowed,
      disallowed,
      `metadata.ownerReferences: Invalid value: [${shown},${shown}]: Only one reference can have Controller set to true. Found "true" in references for Event/n and Event/n`,
    ]);
  });

  it("objectMetaErrors rejects finalizers that exclude each other", () => {
    expect(listErrorTexts({ finalizers: ["foregroundDeletion", "orphan"] })).toEqual([
      'metadata.finalizers: Invalid value: ["foregroundDeletion","orphan"]: finalizer orphan and foregroundDeletion cannot be both set',
    ]);
  });
});

describe("objectMetaUpdateErrors", () => {
  it("objectMetaUpdateErrors rejects new finalizers on an object that is being deleted", () => {
    const old = { name: "a", deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["x"] };
    const errors = [...objectMetaUpdateErrors({ ...old, finalizers: ["z", "x", "y"] }, old)];
    expect(errors.map(formatFieldError)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"y", "z"}',
    ]);
  });

  it("objectMetaUpdateErrors treats an absent namespace as the old one", () => {
    expect([...objectMetaUpdateErrors({ name: "a" }, { name: "a", namespace: "ml" })]).toEqual([]);
  });

  it("objectMetaUpdateErrors compares the grace period only if the request has one", () => {
    const old = { name: "a", deletionGracePeriodSeconds: 30 };
    expect([...objectMetaUpdateErrors({ name: "a" }, old)]).toEqual([]);
    expect(
      [...objectMetaUpdateErrors({ ...old, deletionGracePeriodSeconds: 5 }, old)].map(
        formatFieldError,
      ),
    ).toEqual(["metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable"]);
  });
});
