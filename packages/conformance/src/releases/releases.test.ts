import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { release } from "@jobset-ts/releases";
import { describe, expect, it } from "vitest";
import type { Family } from "../families/family.ts";
import { aFile, runForTest } from "../testing/recorded-files.ts";
import { withKnownMembers } from "./known-members.ts";
import { comparableOutputs } from "./release-case.ts";

/** A family that returns whether it received the quirks of a release, and the gates. */
const pods: Family = {
  family: "pod.validate",
  replay: (input, { quirks }) => ({
    output: {
      isRelease: typeof quirks !== "string",
      features: (input as { features?: object }).features ?? {},
    },
  }),
};

const main = { isRelease: false, features: { RestartJob: true } };
const inRelease = { isRelease: true, features: {} };
const cases = [1, 2, 3].map((number) => ({
  id: `pod.validate/a/${number}`,
  input: { features: { RestartJob: true } },
  output: main,
}));

/** Creates a folder with three cases of main, and files next to it. */
function aFolder(files: Readonly<Record<string, readonly object[]>>): string {
  const asLines = (lines: readonly object[]) =>
    lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const folder = dirname(aFile("pod.validate.jsonl", asLines(cases)));
  for (const [name, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), asLines(lines));
  }
  return folder;
}

const createOutput = (number: number, line: object) => ({
  id: `pod.validate/a/${number}`,
  ...line,
});

describe("the replay of a release", () => {
  it("a release replays all cases, with its own output where it differs from main", async () => {
    const folder = aFolder({
      "releases/v0.11.1/pod.validate.jsonl": [
        createOutput(1, { output: inRelease }),
        createOutput(3, { output: {}, tags: ["crash"] }),
      ],
    });
    const { out, code } = await runForTest([folder, "--release", "v0.11"], [pods]);
    expect(code).toBe(1);
    expect(out).toContain("pod.validate v0.11.1  1 of 2 agree\n  pod.validate/a/2 []\n");
    expect(out).toContain("set aside: crash: 1 case, of which 0 agree\n");
  });

  it("a replay of everything includes the sample of each release, and no other case", async () => {
    const folder = aFolder({
      "releases/pod.validate.jsonl": [
        createOutput(1, { releases: ["v0.11.1", "v0.10.1"], output: inRelease }),
        createOutput(2, { releases: ["v0.8.2"] }),
      ],
    });
    const shipped = [join(folder, "pod.validate.jsonl")];
    const { out } = await runForTest([], [pods], shipped);
    expect(out).toMatch(/^pod.validate +3 of 3 agree\n/);
    expect(out).toMatch(/v0.11.1 +1 of 1 agree\n.*v0.10.1 +1 of 1 agree\n.*v0.8.2 +0 of 1 agree/);
    expect(out).not.toContain("v0.12.0");
  });

  it("a replay of a folder without a release replays only main", async () => {
    const folder = aFolder({
      "releases/pod.validate.jsonl": [
        createOutput(1, { releases: ["v0.11.1"], output: inRelease }),
      ],
    });
    const { out } = await runForTest([folder], [pods]);
    expect(out).toBe("pod.validate  3 of 3 agree\n3 passed, 0 failed\n");
  });

  it("a release without recorded outputs is an error", async () => {
    const { code, error } = await runForTest([aFolder({}), "--release", "v0.11.1"], [pods]);
    expect({ code, error }).toEqual({
      code: 2,
      error: "conformance: no case matches --family, --id and --release\n",
    });
  });

  it("an unknown release is rejected with the list of known ones", async () => {
    const { code, error } = await runForTest(["--release", "v0.7"], [pods]);
    expect(code).toBe(2);
    expect(error).toMatch(/^conformance: JobSet "v0.7" .*v0.12.0.*v0.8.2\n$/);
  });
});

describe("the comparison with a release", () => {
  const denial = (message: string) => ({ response: { allowed: false, code: 403, message } });
  const createRecordedCase = (output: unknown, ...tags: readonly string[]) => {
    return {
      id: "jobset.validateUpdate/a/1",
      family: "jobset.validateUpdate",
      tags,
      input: {},
      output,
    };
  };

  it("comparableOutputs removes the patch type", () => {
    const sent = { response: { allowed: true, patchType: "JSONPatch" } };
    const { expected, actual } = comparableOutputs(
      createRecordedCase(sent),
      sent,
      release("v0.11.1"),
    );
    expect([expected, actual]).toEqual([
      { response: { allowed: true } },
      { response: { allowed: true } },
    ]);
  });

  it.each([
    ["[a: Invalid value: <Go value>: b, c]", "[a: Invalid value: [1]: b, c]", true],
    ["[a: Invalid value: <Go value>: b, c]", "[a: Invalid value: [1]: b, d]", false],
    ["[a: Invalid value: <Go value>: b, c]", "[x: Invalid value: [1]: b, c]", false],
    ["a: <Go value>: b, c: <Go value>: d", "a: [1]: b, c: [2]: d", true],
    ["a: <Go value>: b, c: <Go value>: d", "a: [1]: d", false],
  ])(
    "comparableOutputs compares the text around values in Go syntax: %s and %s",
    (theirs, ours, same) => {
      const both = comparableOutputs(
        createRecordedCase(denial(theirs), "goValue"),
        denial(ours),
        release("v0.9"),
      );
      expect(both.actual).toEqual(same ? denial(theirs) : denial(ours));
    },
  );

  it("comparableOutputs ignores the messages of v0.8, but not that there is one", () => {
    const [denied, allowed] = [
      createRecordedCase(denial("other")),
      { response: { allowed: true } },
    ];
    const v08 = release("v0.8.2");
    expect(comparableOutputs(denied, denial("ours"), v08).actual).toEqual(denial("other"));
    expect(comparableOutputs(denied, allowed, v08).actual).toEqual(allowed);
    expect(comparableOutputs(denied, denial("ours"), release("v0.9.1")).actual).toEqual(
      denial("ours"),
    );
  });

  it("withKnownMembers removes members that the schema does not know, and changes no value", () => {
    const metadata = { name: "train", unknown: 1 };
    const jobSet = {
      metadata,
      spec: { replicatedJobs: [{ name: null, groupName: "g" }], volumeClaimPolicies: [] },
    };
    expect(withKnownMembers(jobSet, release("v0.8.2").schema)).toEqual({
      metadata,
      spec: { replicatedJobs: [{ name: null }] },
    });
    expect(withKnownMembers(null, release("v0.8.2").schema)).toBe(null);
  });
});
