// That the pictures show what the command prints.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { commandOutput } from "./testing/command.ts";

const docs = dirname(fileURLToPath(import.meta.url));

it("the chain of the README's picture is that of explain, from the root cause down", async () => {
  const picture = readFileSync(join(docs, "pictures", "root-cause.svg"), "utf8");
  const told = [...picture.matchAll(/<text class="told"[^>]*>(.*)<\/text>/g)].map(
    ([, text]) => text,
  );
  const args = ["explain", "-f", "examples/troubles/leader-pending.yaml"];
  const printed = (await commandOutput(dirname(docs), args)).split("\n");
  const chain = printed.map((line) => line.replace(/^ *└── /, ""));
  expect(told).toHaveLength(3);
  expect(chain.filter((line) => told.includes(line))).toEqual(told);
});
