// Follows each page that has files to save, from an empty folder with nothing but the packages as they would be published.
// `npm run guides` packs them and runs this.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { patternOf } from "./testing/command.ts";
import { GuideFolder } from "./testing/guide.ts";
import { type FencedBlock, fencedBlocks } from "./testing/markdown.ts";
import { allPages } from "./testing/pages.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packed = process.env.JOBSET_PACKED ?? "";

const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** What a guide installs beside ours, in versions that run on the oldest Node here. */
const pins = {
  vitest: devDependencies.vitest,
  "fast-check": devDependencies["fast-check"],
  jest: "30.5.2",
};

const guides = allPages(root)
  .map((page) => [page, fencedBlocks(readFileSync(join(root, page), "utf8"))] as const)
  .filter(([, blocks]) => blocks.some(({ mark }) => mark?.kind === "file"));

describe.each(guides)("%s, followed from an empty folder", (_page, blocks) => {
  const folder = new GuideFolder(packed, pins);
  afterAll(() => folder.remove());

  for (const block of blocks.filter(isStep)) {
    it(`line ${block.line}: ${block.mark?.text ?? block.code.split("\n")[0]}`, () => {
      if (block.mark?.kind === "file") folder.save(block.mark.text, block.code);
      else if (block.language === "sh") for (const line of block.code.split("\n")) install(line);
      else for (const command of block.code.split(/^(?=\$ )/m)) compare(command);
    });
  }

  function install(command: string): void {
    const { status, output } = folder.install(command);
    expect(status, output).toBe(0);
  }

  function compare(command: string): void {
    const [prompt = "", ...expected] = command.replace(/\n$/, "").split("\n");
    const { output } = folder.run(prompt.slice("$ ".length));
    expect(output).toMatch(patternOf(expected));
  }
});

/** What the reader of a guide does; commands of a clone are for another reader. */
function isStep({ mark, language, code }: FencedBlock): boolean {
  if (mark !== undefined) return mark.kind === "file";
  if (language === "sh") return code.startsWith("npm install ");
  return language === "console" && !code.startsWith("$ npm start");
}
