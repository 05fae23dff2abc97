// Checks that the page of releases contains every release and behavior. `npx vitest run docs/releases --update` rewrites it.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { type Behavior, behaviors, release, releases } from "../packages/releases/src/index.ts";

const page = join(dirname(fileURLToPath(import.meta.url)), "releases.md");

it("the page of releases contains every release and behavior", async () => {
  const lines = [
    "# Releases",
    "",
    "By default, jobset-ts behaves like JobSet's main branch at commit `08dfbdfd6`, which is newer than v0.12.0, without its defects.",
    "[@jobset-ts/releases](../packages/releases/README.md) makes it behave like a release. Upstream's defects on main are on the page",
    "about [quirks](quirks.md). A release also has the quirks of main that are in its code.",
    "",
    "To update this page, run `npx vitest run docs/releases --update`.",
    "",
    "## Supported releases",
    "",
    "jobset-ts supports the last five minor versions of JobSet. Each version has the behavior of its newest patch version.",
    "",
    "| Release | Built with Kubernetes | Feature gates and their defaults | Supported until the release of |",
    "| --- | --- | --- | --- |",
    ...releases.map(
      ({ name, kubernetes, supportedUntil }) =>
        `| ${name} | ${kubernetes} | ${gates(name)} | JobSet ${supportedUntil} |`,
    ),
    "",
    "## Behaviors",
    "",
    "The kind is Rule if upstream added or changed a rule later, and Defect if upstream fixed a defect later.",
    ...releases.flatMap(({ name }, index) => [
      "",
      `### Up to ${name}`,
      "",
      `These behaviors are in ${releases
        .slice(index)
        .map(({ minor }) => minor)
        .join(", ")}${exceptions(name)}.`,
      "",
      "| Behavior | Kind | The release | Main | Effect on users | Upstream change |",
      "| --- | --- | --- | --- | --- | --- |",
      ...behaviors.filter((one) => one.releases[0] === name).map(row),
    ]),
    "",
    "## Behaviors that jobset-ts does not reproduce",
    "",
    "Where a release panics, jobset-ts returns what main returns. It does not reproduce these behaviors:",
    "",
    ...behaviors
      .filter(({ implementation }) => implementation === "None")
      .map(({ name, inRelease }) => `- \`${name}\`: ${inRelease}`),
    "",
  ];
  await expect(lines.join("\n")).toMatchFileSnapshot(page);
});

function gates(name: string): string {
  const texts = Object.entries(release(name).features).map(([gate, on]) => `\`${gate}=${on}\``);
  return texts.length > 0 ? texts.join(", ") : "none";
}

/** Names the behaviors that start with a release, if any. */
function exceptions(name: string): string {
  const limited = behaviors.filter(
    (one) => one.releases[0] === name && one.releases.at(-1) !== releases.at(-1)?.name,
  );
  return limited
    .map((one) => `, except \`${one.name}\`, which is only in ${one.releases.join(", ")}`)
    .join("");
}

function row({ name, kind, inRelease, onMain, effect, pullRequests }: Behavior): string {
  const changes = pullRequests.map(
    (one) => `[#${one}](https://github.com/kubernetes-sigs/jobset/pull/${one})`,
  );
  return `| \`${name}\` | ${kind} | ${inRelease} | ${onMain} | ${effect} | ${changes.join(", ")} |`;
}
