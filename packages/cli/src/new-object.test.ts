import { describe, expect, it } from "vitest";
import type { InputObject } from "./input/objects.ts";
import { type Creation, FAKE_UID, newObject } from "./new-object.ts";

function requested(metadata: unknown, creation: Creation = {}) {
  const input: InputObject = {
    value: { kind: "JobSet", metadata },
    file: "f.yaml",
    diagnose: (field, message, severity = "error") => ({ severity, field, message }),
  };
  return newObject(input, creation);
}

/** A JobSet with that metadata. */
function jobSet(metadata: unknown) {
  return { object: { kind: "JobSet", metadata } };
}

describe("newObject", () => {
  it("gives a JobSet the namespace `default` and a UID that no server assigns", () => {
    const metadata = { namespace: "default", uid: FAKE_UID };
    expect(requested({ name: "train" })).toEqual(jobSet({ name: "train", ...metadata }));
    expect(requested(undefined)).toEqual(jobSet(metadata));
    expect(requested(null)).toEqual(jobSet(metadata));
    expect(requested({ namespace: "", uid: "" })).toEqual(jobSet(metadata));
  });

  it("keeps the namespace and UID that a JobSet has", () => {
    const metadata = { name: "train", namespace: "team", uid: "1-2-3" };
    expect(requested(metadata)).toEqual(jobSet(metadata));
  });

  it("takes the namespace and UID that are asked for", () => {
    const asked = { namespace: "team", uid: "4-5-6" };
    expect(requested({ uid: "1-2-3" }, asked)).toEqual(jobSet(asked));
    expect(requested({ namespace: "team" }, asked)).toEqual(jobSet(asked));
  });

  it("refuses a namespace that is not the one asked for, as kubectl does", () => {
    expect(requested({ namespace: "a" }, { namespace: "b" })).toEqual({
      refusal: {
        severity: "error",
        field: "metadata.namespace",
        message: 'Invalid value: "a": differs from the namespace "b" asked for',
      },
    });
  });

  it("leaves metadata of the wrong type for admission to refuse", () => {
    for (const metadata of [5, "text", [], true]) {
      expect(requested(metadata)).toEqual(jobSet(metadata));
    }
    const wrong = { name: 5, namespace: 7, uid: [] };
    expect(requested(wrong, { namespace: "team" })).toEqual(jobSet(wrong));
  });
});
