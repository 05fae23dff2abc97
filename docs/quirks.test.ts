// Checks that each upstream quirk is one named constant, read in one place, tested by name and
// explained to users, and the same for each behavior of releases.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { quirks, releaseBehaviors } from "../packages/core/src/index.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const readPage = (name: string) => readFileSync(join(root, "docs", name), "utf8");
const pages = { quirks: readPage("quirks.md"), releases: readPage("releases.md") };

/** The path and text of every source file of the packages. */
const sources = readdirSync(join(root, "packages")).flatMap((name) =>
  filesIn(join("packages", name, "src")),
);

function filesIn(folder: string): readonly (readonly [file: string, text: string])[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [join(folder, file), readFileSync(join(root, folder, file), "utf8")]);
}

const named = [
  ...quirks.map((quirk) => ({ quirk, page: pages.quirks })),
  ...releaseBehaviors.map((quirk) => ({ quirk, page: pages.releases })),
];

describe.each(named)("the quirk $quirk", ({ quirk, page }) => {
  it("each quirk is read in exactly one place", () => {
    const reads = sources
      .filter(([file]) => !/\.test\.ts$|\/testing\/|^packages\/mutants\//.test(file))
      .flatMap(([file, text]) =>
        [...text.matchAll(new RegExp(`\\.has\\(\\s*"${quirk}"`, "g"))].map(() => file),
      );
    expect(reads).toHaveLength(1);
  });

  it("each quirk is named in a test", () => {
    const tests = sources.filter(
      ([file, text]) => file.endsWith(".test.ts") && text.includes(quirk),
    );
    expect(tests.map(([file]) => file)).not.toEqual([]);
  });

  it("each quirk has a row in docs/quirks.md or docs/releases.md", () => {
    expect(page).toMatch(new RegExp(`^\\| \`${quirk}\` +\\|`, "m"));
  });
});
