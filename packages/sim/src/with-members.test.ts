import { describe, expect, it } from "vitest";
import { createCopy, withMember, withMembers, withoutMember } from "./with-members.ts";

describe("withMembers", () => {
  const before: { readonly kind: string; readonly replicas?: number } = Object.freeze({
    kind: "Job",
    replicas: 1,
  });

  it("withMembers returns a copy and does not change its arguments", () => {
    expect(withMembers(before, { replicas: 2 })).toEqual({ kind: "Job", replicas: 2 });
    expect(withMember({ Job: 1 }, "Pod", 2)).toEqual({ Job: 1, Pod: 2 });
    expect(withoutMember(before, "replicas")).toEqual({ kind: "Job" });
    expect(before).toEqual({ kind: "Job", replicas: 1 });
  });

  it("withoutMember returns the same object if the member does not exist", () => {
    const plain = withoutMember(before, "replicas");
    expect(withoutMember(plain, "replicas")).toBe(plain);
  });

  it("withMembers treats a member __proto__ like any other", () => {
    const protoObject = JSON.parse('{"__proto__":{"a":1},"b":2}') as { b: number };
    expect(JSON.stringify(withMembers(protoObject, { b: 3 }))).toBe('{"__proto__":{"a":1},"b":3}');
    expect(JSON.stringify(withMembers({ c: 1 }, protoObject as object))).toBe(
      '{"c":1,"__proto__":{"a":1},"b":2}',
    );
    expect(JSON.stringify(createCopy(protoObject))).toBe('{"__proto__":{"a":1},"b":2}');
  });
});
