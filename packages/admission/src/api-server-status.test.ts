import { describe, expect, it } from "vitest";
import { apiServerStatus } from "./api-server-status.ts";

describe("the status that a client gets for a denial", () => {
  it("apiServerStatus puts the webhook's name before its message, as a failure", () => {
    const details = { name: "train", kind: "JobSet" };
    expect(
      apiServerStatus({ message: "no", reason: "Invalid", details, code: 422 }, "vjobset.kb.io"),
    ).toEqual({
      status: "Failure",
      message: 'admission webhook "vjobset.kb.io" denied the request: no',
      reason: "Invalid",
      details,
      code: 422,
    });
  });

  it("apiServerStatus uses the reason without a message, and a fixed text without both", () => {
    const getText = (status: { reason?: string }) =>
      apiServerStatus({ message: "", code: 403, ...status }, "w").message;
    expect(getText({ reason: "Forbidden" })).toBe(
      'admission webhook "w" denied the request: Forbidden',
    );
    expect(getText({})).toBe('admission webhook "w" denied the request without explanation');
  });

  it("apiServerStatus has an error code for any code of the webhook", () => {
    expect(apiServerStatus({ message: "no", code: 200 }, "w").code).toBe(400);
  });
});
