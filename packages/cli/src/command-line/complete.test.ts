import { describe, expect, it } from "vitest";
import { completionScripts } from "../commands/completion/scripts.ts";
import { runCommand } from "../testing.ts";

/** Returns the completions of the last word, and the directive for the shell. */
async function completeLine(line: string): Promise<string> {
  const { exitCode, out, error } = await runCommand(["__complete", ...line.split(" ")]);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
  return out.replaceAll(/\t.*/g, "").trimEnd().split("\n").join(" ");
}

describe("jobset __complete", () => {
  it("__complete prints each command with its description, and then the shell directive", async () => {
    const { out } = await runCommand(["__complete", "re"]);
    expect(out).toBe(
      "render\tPrint the objects that the control plane creates for a JobSet.\nreplay\tRun a finding of jobset explore again.\n:4\n",
    );
  });

  it.each([
    ["kueue ", "podsets :4"],
    ["help ex", "explore explain :4"],
    ["help explain ", ":4"],
    ["completion ", "bash zsh fish kubectl :4"],
    ["completion bash ", ":4"],
    ["render --fe", "--feature-gates --features :4"],
    ["render -f x.yaml --uid -f --out", "--output :4"],
    ["render -f ", ":0"],
    ["admit --old=", ":0"],
    ["diff a.yaml ", ":0"],
    ["diff a.yaml b.yaml ", ":4"],
    ["replay ", ":0"],
    ["top some", ":4"],
    ["top -o ", "table json yaml wide name jsonpath= :4"],
    ["top -o jsonp", "jsonpath= :6"],
    ["render --output=w", "--output=wide :4"],
    ["simulate -f x -o h", "html :4"],
    ["plan --quirks u", "upstream :4"],
    ["render --validate ", "strict warn ignore :4"],
    ["plan --feature-gates Re", "RestartJob=true RestartJob=false :6"],
    ["plan --feature-gates=RestartJob=true,Re", ":6"],
    ["explore --faults Crash,Hold", "Crash,HoldBack :6"],
    ["explain --requested-kinds JobSet,Jo", "JobSet,Job :6"],
    ["census --job-owned ", "kind-contains-job exact-kind helm-hook none :4"],
    ["nonsense ", ":4"],
    ["-", "--version -V --help -h :4"],
  ])("__complete after %j: %s", async (line, completions) => {
    expect(await completeLine(line)).toBe(completions);
  });

  it("__complete knows every command", async () => {
    const { out } = await runCommand(["--help"]);
    const names = [...out.matchAll(/^ {2}([a-z-]+) \[?/gm)].map(([, name]) => name);
    expect(await completeLine("")).toBe(`${names.join(" ")} :4`);
  });
});

it("the completion scripts are the output of jobset completion", async () => {
  for (const [shell, script] of Object.entries(completionScripts)) {
    const { exitCode, out } = await runCommand(["completion", shell]);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: script });
  }
  expect((await runCommand(["completion", "tcsh"])).exitCode).toBe(2);
});
