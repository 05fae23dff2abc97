// The pictures show what the command prints and what the packages export.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { commandOutput } from "./testing/command.ts";

const docs = dirname(fileURLToPath(import.meta.url));

it("the root-cause picture shows the chain that explain prints", async () => {
  const picture = readFileSync(join(docs, "pictures", "root-cause.svg"), "utf8");
  const reported = [...picture.matchAll(/<text class="told"[^>]*>(.*)<\/text>/g)].map(
    ([, text]) => text,
  );
  const args = ["explain", "-f", "examples/troubles/leader-pending.yaml"];
  const printed = (await commandOutput(dirname(docs), args)).split("\n");
  const chain = printed.map((line) => line.replace(/^ *└── |, for .*$/g, ""));
  expect(reported).toHaveLength(3);
  expect(chain.filter((line) => reported.includes(line))).toEqual(reported);
});

it("the architecture picture names functions that packages export", () => {
  const picture = readFileSync(join(docs, "pictures", "architecture.svg"), "utf8");
  const names = [...picture.matchAll(/<text class="function"[^>]*>(.*)<\/text>/g)].map(
    ([, text]) => text,
  );
  const surfaces = ["core", "admission", "diagnose"].map((name) =>
    readFileSync(join(docs, "surface", `${name}.api.md`), "utf8"),
  );
  expect(names).toHaveLength(surfaces.length);
  for (const name of names) expect(surfaces.join()).toContain(`export function ${name}(`);
});
