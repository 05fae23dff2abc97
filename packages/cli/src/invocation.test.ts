import { describe, expect, it } from "vitest";
import { type Caller, recognizeInvocation } from "./invocation.ts";

const completion = { command: "kubectl jobset", isCompletion: true };
const plugin = { command: "kubectl jobset", isCompletion: false };
const command = { command: "jobset", isCompletion: false };

function recognize(program: string, parent = "", isTTY = false) {
  const caller: Caller = { program, isTTY, isNpx: false, parentCommand: () => parent };
  return recognizeInvocation(caller);
}

describe("recognizeInvocation", () => {
  it.each([
    ["/usr/local/bin/jobset", command],
    ["/usr/local/bin/kubectl-jobset", plugin],
    ["/usr/local/bin/kubectl_complete-jobset", completion],
    ["/opt/jobset.mjs", command],
    ["/home/me/.krew/store/jobset/v1/kubectl-jobset.mjs", plugin],
    ["/lib/node_modules/@jobset-ts/cli/dist/main.js", command],
  ])("recognizeInvocation recognizes the program name %s", (program, expected) => {
    expect(recognize(program)).toEqual(expected);
  });

  it.each([
    ["kubectl __complete jobset top -o w", completion],
    ["/usr/bin/kubectl __completeNoDesc jobset top ", completion],
    ["k __complete jobset ", completion],
    ["/bin/sh /home/me/node_modules/.bin/kubectl_complete-jobset top", completion],
    ['C:\\Windows\\cmd.exe /c ""C:\\npm\\kubectl_complete-jobset.cmd" top"', completion],
    ["kubectl jobset top", command],
    ["bash -c jobset explain __complete", command],
    ["", command],
  ])(
    "recognizeInvocation recognizes the parent %j if a launcher hides the name",
    (parent, expected) => {
      expect(recognize("/lib/node_modules/@jobset-ts/cli/dist/main.js", parent)).toEqual(expected);
    },
  );

  it("recognizeInvocation ignores completion on a terminal, because kubectl never uses one for it", () => {
    expect(recognize("main.js", "kubectl __complete jobset ", true)).toEqual(command);
  });

  it("recognizeInvocation ignores the parent of a program with a known name", () => {
    const parentCommand = () => expect.fail("the parent is read");
    const program = "/usr/local/bin/jobset";
    const caller: Caller = { program, isTTY: false, isNpx: false, parentCommand };
    expect(recognizeInvocation(caller)).toEqual(command);
  });

  it("recognizeInvocation returns the npx command line if npx starts the program", () => {
    const program = "/home/me/.npm/_npx/1/node_modules/.bin/jobset";
    const caller: Caller = { program, isTTY: false, isNpx: true, parentCommand: () => "" };
    const expected = { command: "npx --yes @jobset-ts/cli", isCompletion: false };
    expect(recognizeInvocation(caller)).toEqual(expected);
  });
});
