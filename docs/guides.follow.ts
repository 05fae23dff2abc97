// Follows each page that has files to save, from an empty folder with nothing but the packages as they would be published.
// `npm run guides` packs them and runs this.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { patternOf } from "./testing/command.ts";
import { GuideFolder } from "./testing/guide.ts";
import { type FencedBlock, fencedBlocks } from "./testing/markdown.ts";
import { allPages, foldersIn } from "./testing/pages.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packed = process.env.JOBSET_PACKED ?? "";

/** What a guide installs beside ours, in versions that run on the oldest Node here. */
const pins = { ...versionsIn("."), ...versionsIn("examples/controller"), jest: "30.5.2" };

/** Packages of ours that are published. */
const ours = foldersIn(root, "packages")
  .map((folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")))
  .flatMap((manifest) => (manifest.private ? [] : [manifest.name]));

const pages = allPages(root).map(
  (page) => [page, fencedBlocks(readFileSync(join(root, page), "utf8"))] as const,
);
const guides = pages.filter(([, blocks]) => blocks.some(({ mark }) => mark?.kind === "file"));

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

describe("the TypeScript of all pages, in a project of its own", () => {
  const folder = new GuideFolder(packed, pins);
  afterAll(() => folder.remove());

  it("compiles as strictly as it can", () => {
    const used = [...ours, "fast-check", "@kubernetes/client-node", "typescript", "@types/node"];
    const installed = folder.install(`npm install ${used.join(" ")}`);
    expect(installed.status, installed.output).toBe(0);
    for (const [page, blocks] of pages) {
      for (const { code } of blocks.filter(standsAlone)) folder.save(fileName(page, code), code);
    }
    folder.save("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*.mts"] }));
    const { status, output } = folder.run("node node_modules/typescript/bin/tsc");
    expect(status, output).toBe(0);
  });
});

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  module: "nodenext",
  target: "es2023",
  lib: ["es2023", "dom"],
  types: ["node"],
  noEmit: true,
  // A client's own types lack those of what it imports.
  skipLibCheck: true,
  // Else one file would know the names of another.
  moduleDetection: "force",
};

function versionsIn(folder: string): Readonly<Record<string, string>> {
  const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  return { ...manifest.dependencies, ...manifest.devDependencies };
}

/** Code that imports packages only. */
function standsAlone({ language, code }: FencedBlock): boolean {
  return language === "ts" && !/ from "\.\.?\//.test(code);
}

function fileName(page: string, code: string): string {
  return `${page.replace(/\W/g, "_")}_${createHash("sha256").update(code).digest("hex").slice(0, 8)}.mts`;
}

/** What the reader of a guide does; commands of a clone are for another reader. */
function isStep({ mark, language, code }: FencedBlock): boolean {
  if (mark !== undefined) return mark.kind === "file";
  if (language === "sh") return code.startsWith("npm install ");
  return language === "console" && !code.startsWith("$ npm start");
}
