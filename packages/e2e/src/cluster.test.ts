import { describe, expect, it } from "vitest";
import { answerInTheEnd, Refused } from "./cluster.ts";

const lost = new Error("socket hang up");
const exists = new Refused(409, "AlreadyExists", 'nodes "a" already exists');
const notFound = new Refused(404, "NotFound", 'nodes "a" not found');
const comingUp = new Refused(503, "ServiceUnavailable", "storage is (re)initializing");

/** Sends a request that fails in these ways, one after the other, before it is answered. */
function sent(method: string, ...failures: readonly Error[]) {
  const left = [...failures];
  const send = async () => {
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return "answered";
  };
  return answerInTheEnd({ method, send, read: async () => "read" });
}

describe("a request", () => {
  it("is sent again while the API server is away or coming up", async () => {
    expect(await sent("PATCH", lost, comingUp, lost)).toBe("answered");
  });

  it("that creates has been carried out where its answer was lost and the object is there", async () => {
    expect(await sent("POST", lost, comingUp, exists)).toBe("read");
    await expect(sent("POST", exists)).rejects.toBe(exists);
    await expect(sent("POST", comingUp, exists)).rejects.toBe(exists);
  });

  it("that deletes has been carried out where its answer was lost and the object is gone", async () => {
    expect(await sent("DELETE", lost, notFound)).toEqual({});
    await expect(sent("DELETE", notFound)).rejects.toBe(notFound);
    await expect(sent("GET", lost, notFound)).rejects.toBe(notFound);
  });
});
