// Tests that the GitHub workflows call existing commands, and that CI does the same as .ci/run.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, ".github", "workflows");
const { scripts, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>;
}
interface Job {
  readonly strategy?: { readonly matrix?: { readonly command?: readonly string[] } };
  readonly steps: readonly Step[];
}
interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

describe.each(readdirSync(folder))("%s", (file) => {
  const { jobs } = parse(readFileSync(join(folder, file), "utf8")) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it("the workflow calls only existing commands", () => {
    const commands = Object.values(jobs).flatMap(listCommands);
    expect(commands).not.toEqual([]);
    expect(commands.filter((command) => !isKnown(command))).toEqual([]);
  });

  it("the workflow uses actions with a version", () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.filter((one) => !/^[\w-]+\/[\w-]+@v\d+$/.test(one))).toEqual([]);
  });

  it("the workflow names only existing files", () => {
    const named = steps.flatMap((step) => step.with?.["cache-dependency-path"] ?? []);
    expect(named.filter((one) => !existsSync(join(root, `${one}`)))).toEqual([]);
  });
});

it("CI on GitHub runs what .ci/run does", () => {
  const { jobs } = parse(readFileSync(join(folder, "ci.yml"), "utf8")) as Workflow;
  const text = readFileSync(join(root, ".ci", "run"), "utf8");
  const commands = [...text.matchAll(/^(?:counted|if) (npm .*?)(?: >.*)?$/gm)].map(
    ([, one]) => one,
  );
  expect(jobs.check?.strategy?.matrix?.command).toEqual(commands);
});

/** The shell commands of a job. A step that runs the matrix's command stands for each of them. */
function listCommands({ strategy, steps }: Job): readonly string[] {
  const matrix = strategy?.matrix?.command ?? [];
  return steps.flatMap((step) => {
    if (step.run?.includes("matrix.command")) return matrix;
    return [step.run, step.with?.version, step.with?.publish].filter(
      (one): one is string => typeof one === "string" && /^[a-z]+ /.test(one),
    );
  });
}

/** Whether a command belongs to the workspace, or is a tool that it installs. */
function isKnown(command: string): boolean {
  const script = /^npm (?:run )?([\w:-]+)/.exec(command)?.[1];
  if (script !== undefined) return Object.hasOwn(scripts, script);
  return command.startsWith("npx changeset ") && Object.hasOwn(devDependencies, "@changesets/cli");
}
