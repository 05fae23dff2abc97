import { describe, expect, it } from "vitest";
import type { InputObject } from "../input/objects.ts";
import {
  type CreateOptions,
  FAKE_UID,
  isStored,
  prepareCreate,
  prepareUpdate,
} from "./request-object.ts";

function prepareMetadata(metadata: unknown, creation: CreateOptions = {}) {
  const input: InputObject = {
    value: { kind: "JobSet", metadata },
    file: "f.yaml",
    duplicates: [],
    diagnose: (field, message, severity = "error") => ({ severity, field, message }),
  };
  return prepareCreate(input, creation);
}

/** Returns a JobSet with this metadata. */
function jobSet(metadata: unknown) {
  return { kind: "JobSet", metadata };
}

describe("prepareCreate", () => {
  it("prepareCreate sets the namespace `default` and a UID that no server assigns", () => {
    const metadata = { namespace: "default", uid: FAKE_UID };
    expect(prepareMetadata({ name: "train" })).toEqual(jobSet({ name: "train", ...metadata }));
    expect(prepareMetadata(undefined)).toEqual(jobSet(metadata));
    expect(prepareMetadata(null)).toEqual(jobSet(metadata));
    expect(prepareMetadata({ namespace: "", uid: "" })).toEqual(jobSet(metadata));
  });

  it("prepareCreate keeps the namespace and UID of the JobSet", () => {
    const metadata = { name: "train", namespace: "team", uid: "1-2-3" };
    expect(prepareMetadata(metadata)).toEqual(jobSet(metadata));
  });

  it("prepareCreate sets the UID of the option", () => {
    expect(prepareMetadata({ uid: "1-2-3", namespace: "team" }, { uid: "4-5-6" })).toEqual(
      jobSet({ namespace: "team", uid: "4-5-6" }),
    );
  });

  it("prepareCreate leaves metadata of the wrong type unchanged, so that admission rejects it", () => {
    for (const metadata of [5, "text", [], true]) {
      expect(prepareMetadata(metadata)).toEqual(jobSet(metadata));
    }
    const wrong = { name: 5, namespace: 7, uid: [] };
    expect(prepareMetadata(wrong)).toEqual(jobSet(wrong));
  });
});

describe("prepareUpdate", () => {
  const old = { metadata: { name: "train", namespace: "ml", uid: "1-2-3" } };

  it("prepareUpdate copies the namespace and UID of the stored JobSet unless the new one sets them", () => {
    const updateMetadata = (metadata: unknown) =>
      prepareUpdate({ value: { metadata } }, old).metadata;
    expect(updateMetadata({ name: "train" })).toEqual(old.metadata);
    expect(updateMetadata({ name: "train", uid: "", namespace: null })).toEqual(old.metadata);
    expect(updateMetadata(undefined)).toEqual({ namespace: "ml", uid: "1-2-3" });
    const other = { name: "train", namespace: "b", uid: "4" };
    expect(updateMetadata(other)).toEqual(other);
  });

  it("prepareUpdate keeps a generated name only if it starts with generateName", () => {
    const generated = { name: "train-b2c3d", generateName: "train-", namespace: "ml", uid: "1" };
    const updateMetadata = (metadata: unknown) =>
      prepareUpdate({ value: { metadata } }, { metadata: generated }).metadata;
    expect(updateMetadata({ generateName: "train-" })).toEqual(generated);
    expect(updateMetadata({ generateName: "train-", name: "" })).toEqual(generated);
    expect(updateMetadata({ generateName: "train-", name: "other" })).toMatchObject({
      name: "other",
    });
    for (const metadata of [{ generateName: "serve-" }, {}]) {
      expect(updateMetadata(metadata)).not.toHaveProperty("name");
    }
  });

  it("prepareUpdate leaves metadata of the wrong type unchanged, so that admission rejects it", () => {
    expect(prepareUpdate({ value: { metadata: 5 } }, old)).toEqual({ metadata: 5 });
    const value = { metadata: { name: "a" } };
    expect(prepareUpdate({ value }, { metadata: [] })).toBe(value);
  });
});

describe("isStored", () => {
  it("isStored returns whether the object has a UID", () => {
    expect(isStored({ value: { metadata: { uid: "1" } } })).toBe(true);
    for (const metadata of [undefined, null, 5, [], {}, { uid: "" }, { uid: null }]) {
      expect(isStored({ value: { metadata } })).toBe(false);
    }
  });
});
