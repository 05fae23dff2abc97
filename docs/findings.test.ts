import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NO_QUIRKS, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { simulate } from "@jobset-ts/sim";
import { parseScenarioFinding } from "@jobset-ts/sim/schema";
import { describe, expect, it } from "vitest";
import { release, releases } from "../packages/releases/src/index.ts";

const folder = join(fileURLToPath(new URL(".", import.meta.url)), "findings");
const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".json"))
  .sort();
const documents = names.map((name) => {
  return [name, JSON.parse(readFileSync(join(folder, name), "utf8")) as object] as const;
});
/** The other findings are scenarios that violate no law. */
const allFindings = documents.filter(([, document]) => "law" in document);
const findings = allFindings.filter(([, document]) => !("jobsetVersion" in document));
const findingsOfReleases = allFindings.filter(([, document]) => "jobsetVersion" in document);

it("docs/findings has findings about this project and about upstream", () => {
  expect(findings.length).toBeGreaterThan(15);
});

describe.each(findings)("docs/findings/%s", (_, document) => {
  it("a finding names the law that its replay violates first, with its message", () => {
    const parsed = parseScenarioFinding(document);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const { scenario, quirks, law, message } = parsed.value;
    const { violations } = simulate(scenario, {
      quirks: quirks === "upstream" ? UPSTREAM_QUIRKS : NO_QUIRKS,
    });
    const [violated] = violations.map((one) => ({ law: one.law, message: one.message }));
    expect({ law, message }).toEqual(violated);
  });
});

/** Returns the violations of a finding's law in a release, or on main if there is no release. */
function listViolations(document: object, version?: string) {
  const parsed = parseScenarioFinding(document);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const { scenario, law, message } = parsed.value;
  const { quirks, schema } = version === undefined ? { quirks: UPSTREAM_QUIRKS } : release(version);
  const { violations } = simulate(scenario, {
    quirks,
    ...(schema !== undefined && { schema }),
    continueAfterViolation: true,
  });
  return violations.filter((one) => one.law === law && one.message === message);
}

describe.each(findingsOfReleases)("docs/findings/%s", (name, document) => {
  it("docs/findings/releases.md says which releases violate the law of the finding", () => {
    const versions = [...releases.map((one) => one.name).toReversed(), undefined];
    const cells = versions.map((version) =>
      listViolations(document, version).length > 0 ? "violated" : "holds",
    );
    const { law } = document as { readonly law: string };
    const page = readFileSync(join(folder, "releases.md"), "utf8");
    expect(page).toContain(
      `| [${name.split("/").at(-1)}](${name}) | \`${law}\` | ${cells.join(" | ")} |`,
    );
  });
});
