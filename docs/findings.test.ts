import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NO_QUIRKS, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { simulate } from "@jobset-ts/sim";
import { parseScenarioFinding } from "@jobset-ts/sim/schema";
import { describe, expect, it } from "vitest";

const folder = join(fileURLToPath(new URL(".", import.meta.url)), "findings");
const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".json"))
  .sort();
const documents = names.map((name) => {
  return [name, JSON.parse(readFileSync(join(folder, name), "utf8")) as object] as const;
});
/** The others are scenarios, in which nothing is violated. */
const findings = documents.filter(([, document]) => "law" in document);

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
