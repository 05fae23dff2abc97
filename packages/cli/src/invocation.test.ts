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
  ])("takes the invocation from the name of %s", (program, wanted) => {
    expect(recognize(program)).toEqual(wanted);
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
  ])("takes it from the parent %j if the launcher hides the name", (parent, wanted) => {
    expect(recognize("/lib/node_modules/@jobset-ts/cli/dist/main.js", parent)).toEqual(wanted);
  });

  it("completes nothing on a terminal, which kubectl never hands to a completion", () => {
    expect(recognize("main.js", "kubectl __complete jobset ", true)).toEqual(command);
  });

  it("does not look at the parent of a program with a known name", () => {
    const parentCommand = () => expect.fail("the parent is read");
    const program = "/usr/local/bin/jobset";
    const caller: Caller = { program, isTTY: false, isNpx: false, parentCommand };
    expect(recognizeInvocation(caller)).toEqual(command);
  });

  it("names the command by which npx runs the package, since no bin of it need be installed", () => {
    const program = "/home/me/.npm/_npx/1/node_modules/.bin/jobset";
    const caller: Caller = { program, isTTY: false, isNpx: true, parentCommand: () => "" };
    const wanted = { command: "npx --yes @jobset-ts/cli", isCompletion: false };
    expect(recognizeInvocation(caller)).toEqual(wanted);
  });
});
