import { describe, expect, it } from "vitest";
import { answerInTheEnd, Refused } from "./cluster.ts";

const lost = new Error("socket hang up");
const exists = new Refused(409, "AlreadyExists", 'nodes "a" already exists');
const notFound = new Refused(404, "NotFound", 'nodes "a" not found');
const comingUp = new Refused(503, "ServiceUnavailable", "storage is (re)initializing");

/** Sends a request that fails with each of the errors, and then gets a response. */
function sent(method: string, ...failures: readonly Error[]) {
  const left = [...failures];
  const send = async () => {
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return "answered";
  };
  return answerInTheEnd({ method, send, read: async () => "read" });
}

describe("a request to the cluster", () => {
  it("a request is sent again while the API server is unavailable or starting", async () => {
    expect(await sent("PATCH", lost, comingUp, lost)).toBe("answered");
  });

  it("a create request without a response succeeded if the object exists", async () => {
    expect(await sent("POST", lost, comingUp, exists)).toBe("read");
    await expect(sent("POST", exists)).rejects.toBe(exists);
    await expect(sent("POST", comingUp, exists)).rejects.toBe(exists);
  });

  it("a delete request without a response succeeded if the object is gone", async () => {
    expect(await sent("DELETE", lost, notFound)).toEqual({});
    await expect(sent("DELETE", notFound)).rejects.toBe(notFound);
    await expect(sent("GET", lost, notFound)).rejects.toBe(notFound);
  });
});
