import { describe, expect, it } from "vitest";
import { jobKey, jobKeysIn } from "./job-key.ts";

describe("jobKey", () => {
  it.each([
    ["default", "js-rjob-0", "594cb5c93756409379daf5f78db3fa5c78663cd1"],
    ["ml", "train-driver-0", "e7672ee296fd560b6c31ecddd7bc0db38e6cd765"],
    ["ml", "train-workers-0", "a93a97066ed58aa4f7a71b097176246f07ab144e"],
    ["ml", "train-workers-1", "9758140d1b2c3c8dbaebb0783352de84ca2874b5"],
  ])("jobKey of %s/%s is %s", (namespace, job, key) => {
    expect(jobKey(namespace, job)).toBe(key);
  });

  it("jobKey is a SHA-1 hash in lowercase hexadecimal, although upstream's comment says SHA-256", () => {
    expect(jobKey("default", "js-rjob-0")).toMatch(/^[0-9a-f]{40}$/);
  });

  it("jobKey hashes the UTF-8 bytes, as sha1sum does", () => {
    expect(jobKey("größe", "ﬂ-😀-0")).toBe("e9fcc0fffa7ba0a00e8db09cb52d6021cb400752");
    expect(jobKey("", "")).toBe("42099b4af021e53fd8fd4e056c2568d7c2e3ffa8");
  });

  it("jobKey treats a lone surrogate as the replacement character", () => {
    expect(jobKey("ml", "\ud800")).toBe(jobKey("ml", "\ufffd"));
  });
});

describe("jobKeysIn", () => {
  it("jobKeysIn returns a different key for each Job, for any previous name", () => {
    const keyOf = jobKeysIn("ml");
    const long = "x".repeat(200);
    const names = [
      "train-a-10",
      "train-a-9",
      "",
      long,
      "ﬂ-😀-0",
      "ﬁ-😀-0",
      "train-a-10",
      "train-b-10",
    ];
    expect(names.map(keyOf)).toEqual(names.map((name) => jobKey("ml", name)));
    expect(new Set(names.map(keyOf)).size).toBe(7);
  });
});
