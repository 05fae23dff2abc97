import { describe, expect, it } from "vitest";
import { RejectedError, sendWithRetries } from "./cluster.ts";

const socketHangUp = new Error("socket hang up");
const exists = new RejectedError(409, "AlreadyExists", 'nodes "a" already exists');
const notFound = new RejectedError(404, "NotFound", 'nodes "a" not found');
const startingError = new RejectedError(503, "ServiceUnavailable", "storage is (re)initializing");

/** Sends a request that fails with each of the errors, and then gets a response. */
function sendWithFailures(method: string, ...failures: readonly Error[]) {
  const left = [...failures];
  const send = async () => {
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return "answered";
  };
  return sendWithRetries({ method, send, read: async () => "read" });
}

describe("a request to the cluster", () => {
  it("a request is repeated while the API server is unavailable or starting", async () => {
    expect(await sendWithFailures("PATCH", socketHangUp, startingError, socketHangUp)).toBe(
      "answered",
    );
  });

  it("a create request without a response succeeded if the object exists", async () => {
    expect(await sendWithFailures("POST", socketHangUp, startingError, exists)).toBe("read");
    await expect(sendWithFailures("POST", exists)).rejects.toBe(exists);
    await expect(sendWithFailures("POST", startingError, exists)).rejects.toBe(exists);
  });

  it("a delete request without a response succeeded if the object is gone", async () => {
    expect(await sendWithFailures("DELETE", socketHangUp, notFound)).toEqual({});
    await expect(sendWithFailures("DELETE", notFound)).rejects.toBe(notFound);
    await expect(sendWithFailures("GET", socketHangUp, notFound)).rejects.toBe(notFound);
  });
});
