// Checks that the index has a row for each page, the front page has one for each package, and the
// glossary is short.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { allPages, foldersIn } from "./testing/pages.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

it("the index of the pages links to each of them", () => {
  const linked = createLinks("docs/README.md");
  // GitHub finds these pages at their usual paths, and the front page links to them.
  const elsewhere = ["docs/README.md", "CHANGELOG.md", "SECURITY.md"];
  expect(
    allPages(root).filter((page) => !linked.includes(page) && !elsewhere.includes(page)),
  ).toEqual([]);
});

it("the front page has a row for each published package", () => {
  const rows = [
    ...readFileSync(join(root, "README.md"), "utf8").matchAll(/^\| \[`@jobset-ts\/([\w-]+)`\]/gm),
  ];
  const published = foldersIn(root, "packages").filter((folder) => {
    return !JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")).private;
  });
  expect(rows.map(([, name]) => `packages/${name}`).sort()).toEqual([...published].sort());
});

it("the glossary is short and has no duplicate terms", () => {
  const rows = readFileSync(join(root, "docs/glossary.md"), "utf8").matchAll(/^\| (.+?) \|/gm);
  const words = [...rows].map(([, word]) => word).filter((word) => !/^(word|---)$/.test(`${word}`));
  expect(words.length).toBeGreaterThan(0);
  expect(words.length).toBeLessThanOrEqual(40);
  expect(new Set(words).size).toBe(words.length);
});

function createLinks(page: string): readonly string[] {
  const links = readFileSync(join(root, page), "utf8").matchAll(/\]\(([^)#]+)/g);
  return [...links].map(([, target = ""]) => join(dirname(page), target));
}
