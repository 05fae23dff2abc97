import { type FieldError, forbidden, internalError, required } from "@jobset-ts/api/errors";
import { describe, expect, it } from "vitest";
import {
  badRequestStatus,
  forbiddenStatus,
  internalErrorStatus,
  invalidStatus,
} from "./api-status.ts";

const object = { group: "jobset.x-k8s.io", kind: "JobSet", name: "js" };

/** The message of a status for these errors, without the common prefix. */
function aggregate(...errors: readonly FieldError[]): string {
  const { message } = invalidStatus(object, errors);
  return message.replace('JobSet.jobset.x-k8s.io "js" is invalid: ', "");
}

describe("the status for refused fields", () => {
  it("invalidStatus shows one error plainly and several in brackets, in their order", () => {
    expect(aggregate(required("b"))).toBe("b: Required value");
    expect(aggregate(required("b"), forbidden("a", "no"), internalError("it broke"))).toBe(
      "[b: Required value, a: Forbidden: no, <nil>: Internal error: it broke]",
    );
  });

  it("invalidStatus shows a repeated text once, and lists a cause for each occurrence", () => {
    expect(aggregate(required("a"), required("a"))).toBe("a: Required value");
    expect(aggregate(required("a"), required("b"), required("a"))).toBe(
      "[a: Required value, b: Required value]",
    );
    const { details } = invalidStatus(object, [required("a"), required("a")]);
    const cause = { reason: "FieldValueRequired", message: "Required value", field: "a" };
    expect(details?.causes).toEqual([cause, cause]);
  });

  it("invalidStatus quotes the name in the message, and has no detail for an empty name", () => {
    const { message, details } = invalidStatus({ ...object, name: "" }, [required("a")]);
    expect(message).toBe('JobSet.jobset.x-k8s.io "" is invalid: a: Required value');
    expect(details).not.toHaveProperty("name");
    expect(invalidStatus({ ...object, name: 'a"b' }, []).message).toContain('"a\\"b"');
  });

  it("invalidStatus has its members in Kubernetes' order", () => {
    const status = invalidStatus(object, [required("a")]);
    expect(Object.keys(status)).toEqual(["status", "message", "reason", "details", "code"]);
    expect(Object.keys(status.details ?? {})).toEqual(["name", "group", "kind", "causes"]);
    expect(Object.keys(status.details?.causes?.[0] ?? {})).toEqual(["reason", "message", "field"]);
  });

  it("invalidStatus counts omitted errors at the end of the message", () => {
    const { message, details } = invalidStatus(object, [required("a")], 1234);
    expect(message).toBe(
      'JobSet.jobset.x-k8s.io "js" is invalid: [a: Required value, … (1234 more)]',
    );
    expect(details?.causes).toHaveLength(1);
  });
});

it("the other status functions set their code and reason", () => {
  expect(forbiddenStatus("no")).toEqual({ message: "no", reason: "Forbidden", code: 403 });
  expect(badRequestStatus("no JSON")).toEqual({ message: "no JSON", code: 400 });
  expect(internalErrorStatus("it broke")).toEqual({
    status: "Failure",
    message: "Internal error occurred: it broke",
    reason: "InternalError",
    code: 500,
  });
});
