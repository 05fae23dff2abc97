import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { createPattern } from "./command.ts";
import { compileFences } from "./compiled-fences.ts";
import { GuideFolder } from "./guide.ts";
import { type FencedBlock, fencedBlocks, inlineCommands } from "./markdown.ts";
import { allPages } from "./pages.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The versions of other packages, which run on the oldest Node here. */
const pins: Readonly<Record<string, string>> = {
  ...versionsIn("."),
  ...versionsIn("examples/controller"),
  jest: "30.5.2",
};

/**
 * Follows pages like their readers, each from an empty folder: saves the files that it shows, runs its commands unchanged,
 * compares their output, and compiles its code with the packages that it installs.
 */
export function followPages(isChosen: (page: string, blocks: readonly FencedBlock[]) => boolean) {
  const npm = JSON.parse(process.env.JOBSET_NPM ?? "{}");
  for (const page of allPages(root)) {
    const text = readFileSync(join(root, page), "utf8");
    const blocks = fencedBlocks(text);
    if (isChosen(page, blocks)) follow(page, blocks, inlineCommands(text), npm);
  }
}

/** Whether a page is a guide: a page outside of packages and examples, with programs to save. */
export function isGuide(page: string, blocks: readonly FencedBlock[]): boolean {
  return page.startsWith("docs") && blocks.some(({ mark }) => mark?.kind === "file");
}

function follow(
  page: string,
  blocks: readonly FencedBlock[],
  inline: readonly string[],
  npm: Readonly<Record<string, string>>,
) {
  const steps = blocks.filter(isStep);
  const hasCode = blocks.some(({ language }) => language === "ts" || language === "js");
  if (steps.length === 0 && inline.length === 0 && !hasCode) return;
  describe(`${page}, followed from an empty folder`, () => {
    const folder = new GuideFolder(npm);
    afterAll(() => folder.remove());

    for (const { line, language, code, mark } of steps) {
      it(`line ${line}: ${mark?.text ?? code.split("\n")[0]}`, async () => {
        if (mark?.kind === "file") folder.save(mark.text, code);
        else if (language === "sh") await runLines(folder, code);
        else for (const command of code.split(/^(?=\$ )/m)) compare(folder, command);
      });
    }
    it.each(inline)("the page runs %s", (command) => runLines(folder, command));
    if (!hasCode) return;
    it("the page installs each package that its code imports", () => {
      expect(importedPackages(blocks).filter((name) => !isInstalled(name, blocks))).toEqual([]);
    });
    it("the code of the page compiles with the strictest options", () => {
      expect(compileFences(folder.path, blocks)).toEqual([]);
    });
  });
}

/** The steps of a reader outside of a clone. */
function isStep({ mark, language, code }: FencedBlock): boolean {
  if (mark !== undefined) return mark.kind === "file";
  if (language === "sh") return !code.split("\n").every(isCloneFile);
  return language === "console" && !code.startsWith("$ npm start");
}

/** Whether a command runs in a clone. The tests of pages, or the check in the line, run these. */
function isCloneFile(line: string): boolean {
  return /^(npm (start|test|run)\b|npx vitest |git clone |cd |node examples\/|kubectl apply -f examples\/|$)/.test(
    line,
  );
}

async function runLines(folder: GuideFolder, code: string): Promise<void> {
  for (const line of code.split("\n").filter((one) => !isCloneFile(one))) {
    if (/ --watch\b/.test(line)) {
      // The first output is a table, not an error.
      expect(await folder.runUntilOutput(line), line).toMatch(/^NAMESPACE /);
      continue;
    }
    const { status, output } = folder.run(pinVersions(line));
    expect(status, `${line}\n${output}`).toBe(0);
  }
}

/** An installation that uses these versions of other packages. */
function pinVersions(line: string): string {
  if (!line.startsWith("npm install ")) return line;
  return line.replaceAll(/\S+/g, (word) =>
    Object.hasOwn(pins, word) && !word.startsWith("@jobset-ts/") ? `${word}@${pins[word]}` : word,
  );
}

function compare(folder: GuideFolder, command: string): void {
  const [prompt = "", ...expected] = command.replace(/\n$/, "").split("\n");
  const { output } = folder.run(prompt.slice("$ ".length));
  expect(output).toMatch(createPattern(expected));
}

/** The packages that the code of a page imports. `node:` modules and files of the page do not count. */
function importedPackages(blocks: readonly FencedBlock[]): readonly string[] {
  const code = blocks.filter(({ language }) => language === "ts" || language === "js");
  const named = code.flatMap((block) => [...block.code.matchAll(/ from "([^".][^"]*)";/g)]);
  const packages = named.map(([, name = ""]) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? "");
  return [...new Set(packages)].filter((name) => !name.startsWith("node:")).sort();
}

/** Whether a page installs a package. `@jest/globals` is part of jest. */
function isInstalled(name: string, blocks: readonly FencedBlock[]): boolean {
  const lines = blocks
    .filter(({ language, mark }) => language === "sh" && mark === undefined)
    .flatMap(({ code }) => code.split("\n"))
    .filter((line) => line.startsWith("npm install "));
  const words = lines.flatMap((line) => line.replace(/ #.*/, "").split(" "));
  return words.includes(name === "@jest/globals" ? "jest" : name);
}

function versionsIn(folder: string): Readonly<Record<string, string>> {
  const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  return { ...manifest.dependencies, ...manifest.devDependencies };
}
