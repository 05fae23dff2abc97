import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import type fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { createPattern, runDocumentedCommand } from "./testing/command.ts";
import { docstringExamples } from "./testing/docstring-examples.ts";
import { type FencedBlock, fencedBlocks } from "./testing/markdown.ts";
import { allPages, foldersIn, pagesIn } from "./testing/pages.ts";
import { prepareSnippet } from "./testing/snippet.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The imports that example code may have: the public entries, as for a user, and the dependencies of an
 * example.
 */
const entries: Readonly<Record<string, () => Promise<object>>> = {
  ...Object.fromEntries(folders("packages").flatMap(listEntries)),
  "@kubernetes/client-node": () =>
    import(createRequire(`${root}/examples/controller/`).resolve("@kubernetes/client-node")),
  "fast-check": fastCheck,
  // Tests that a page registers with a test runner are run by the tests of its example.
  ...Object.fromEntries(
    ["vitest", "node:test", "@jest/globals"].map((runner) => [
      runner,
      async () => ({ test: () => {} }),
    ]),
  ),
};

/**
 * Properties that an example runs many times run a few times here, because the tests of the laws
 * run them often.
 */
async function fastCheck(): Promise<object> {
  const { default: all, ...others } = await import("fast-check");
  const assert = (property: fc.IRawProperty<unknown>, parameters?: object) =>
    all.assert(property, { ...parameters, numRuns: 1 });
  const check = (property: fc.IRawProperty<unknown>, parameters: fc.Parameters<unknown> = {}) =>
    all.check(property, {
      ...parameters,
      endOnFailure: true,
      ...(parameters.numRuns && { numRuns: 2 }),
    });
  return { ...others, assert, check, default: { ...all, assert, check } };
}

describe.each(allPages(root))("%s", (page) => {
  const files: PageFiles = new Map();
  for (const block of fencedBlocks(readFileSync(join(root, page), "utf8"))) {
    it(`the ${block.language || "plain"} block in line ${block.line} of ${page} is correct`, async () => {
      await checkBlock(block, dirname(join(root, page)), files);
    });
  }

  it(`${page} links only to existing files and headings`, () => {
    const text = readFileSync(join(root, page), "utf8");
    for (const [, target = "", heading] of text.matchAll(
      /\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g,
    )) {
      const file = target === "" ? join(root, page) : join(root, dirname(page), target);
      expect(existsSync(file), `link to ${target}`).toBe(true);
      if (heading !== undefined) {
        expect(getAnchors(readFileSync(file, "utf8")), `link to ${target}`).toContain(heading);
      }
    }
  });
});

describe.each(folders("packages").filter((folder) => pagesIn(root, folder).length > 0))(
  "the pages of %s",
  (folder) => {
    it(`the pages of ${folder} describe each of its entries`, () => {
      const text = pagesIn(root, folder).map((page) => readFileSync(join(root, page), "utf8"));
      const entries = listEntries(folder).map(([name]) => name);
      expect(entries.filter((name) => !text.join().includes(name))).toEqual([]);
    });
  },
);

describe.each(sources())("%s", (file) => {
  const examples = docstringExamples(readFileSync(join(root, file), "utf8"));
  it.each(examples.map(({ line, code }) => [line, code] as const))(
    "the example in line %i is correct",
    async (_line, code) => {
      const own = listEntries(file.split(sep).slice(0, 2).join(sep));
      const exported = await Promise.all(own.map(([, load]) => load()));
      const scope = Object.assign(
        {},
        ...exported,
        await import(/* @vite-ignore */ join(root, file)),
      );
      const { checks } = await runSnippet(code, scope);
      expect(checks, "an example says what comes out").toBeGreaterThan(0);
    },
  );
});

/** The targets of links within a page: its headings, as GitHub converts them to anchors. */
function getAnchors(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The programs of a page that its reader saves: the exports and the output of each. */
type PageFiles = Map<string, { readonly exported: object; readonly printed: string }>;

/**
 * @param folder - of the page, from where its code imports files
 * @param files - of the page above the block; one more is added
 */
async function checkBlock(
  { language, code, mark }: FencedBlock,
  folder: string,
  files: PageFiles,
): Promise<void> {
  switch (language) {
    case "ts":
    case "js": {
      const lines: string[] = [];
      const log = (...values: readonly unknown[]) => lines.push(format(...values));
      const { exported } = await runSnippet(code, { console: { log } }, folder, files);
      if (mark?.kind === "file") files.set(mark.text, { exported, printed: lines.join("\n") });
      return;
    }
    case "console": {
      // `npm run guides` runs all other commands, in an empty folder.
      const [command = "", ...expected] = code.split("\n");
      const file = /^\$ node (\S+)$/.exec(command)?.[1];
      if (command.startsWith("$ npm start")) await runDocumentedCommand(root, code);
      else if (file !== undefined)
        expect(files.get(file)?.printed).toMatch(createPattern(expected));
      else expect([...files.keys()], "a page with programs to save").not.toEqual([]);
      return;
    }
    case "mermaid":
      expect(code).toMatch(/^flowchart /);
      return;
    case "yaml":
      for (const document of parseAllDocuments(code)) expect(document.errors).toEqual([]);
      return;
    case "json":
      JSON.parse(code);
      return;
    case "sh":
      expect(unknownCommands(code)).toEqual([]);
      return;
    case "bash":
      // The end-to-end stories run blocks with more than single commands, on a cluster. Here, the block is only
      // parsed.
      expect(spawnSync("sh", ["-n", "-c", code], { encoding: "utf8" }).stderr).toBe("");
      return;
    case "text":
      // Another test writes generated blocks. If a block is not run, its page states the reason.
      expect(mark?.kind).toMatch(/^(held|not run)$/);
      return;
    default:
      expect.fail(`a block of language "${language}" has no check`);
  }
}

/** Runs example code. Returns the number of checked values and the exports. */
async function runSnippet(
  code: string,
  scope: object = {},
  folder = root,
  files: PageFiles = new Map(),
): Promise<{ readonly checks: number; readonly exported: object }> {
  const { javascript, checks, exports } = prepareSnippet(code);
  const load = async (entry: string) => {
    const ofPage = files.get(entry.replace(/^\.\//, ""));
    if (ofPage !== undefined) return ofPage.exported;
    if (entry.startsWith("./")) return import(/* @vite-ignore */ join(folder, entry));
    const imported = entries[entry];
    if (imported === undefined) throw new Error(`examples may not import "${entry}"`);
    return imported();
  };
  const check = (actual: unknown, expected: unknown) => {
    expect(actual).toEqual(expected);
  };
  const names = Object.keys(scope).filter((name) => name !== "default");
  const values = names.map((name) => (scope as Record<string, unknown>)[name]);
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const text = `{${javascript}\nreturn { ${exports.join(", ")} };}`;
  const exported = await new AsyncFunction("load", "check", ...names, text)(load, check, ...values);
  return { checks, exported };
}

/** Commands of a shell block that do not exist in the workspace. */
function unknownCommands(code: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Readonly<Record<string, string>>;
  };
  return code.split("\n").filter((line) => {
    if (/^npx vitest /.test(line)) return false; // A tool of the workspace, in a clone.
    if (/^(npm install|npx) /.test(line)) return namesForeignObjects(line);
    const script = /^npm (?:run )?(?<script>[\w-]+)/.exec(line)?.groups?.script;
    if (script !== undefined) return !scripts[script];
    if (/^(kubectl apply|node) /.test(line)) return !namesOnlyFiles(line);
    // `npm run pack-check` runs these commands in an empty folder.
    if (/^(jobset |kubectl (get|jobset) |source <|mkdir -p |chmod )/.test(line)) return false;
    return !/^(git clone |cd |$)/.test(line);
  });
}

/** Returns whether a command names unpublished packages of our scope, or none of our packages. */
function namesForeignObjects(line: string): boolean {
  const published = folders("packages")
    .map((folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")))
    .flatMap((manifest) => (manifest.private ? [] : [manifest.name]));
  const named = line.split(" ").filter((word) => word.startsWith("@jobset-ts/"));
  const isOurs = named.length > 0 || line.startsWith("npm install --save-dev ");
  return !isOurs || named.some((name) => !published.includes(name));
}

/** Whether our files that a command names exist. */
function namesOnlyFiles(line: string): boolean {
  const named = line.split(" ").filter((word) => /^(examples|packages)\//.test(word));
  return named.length > 0 && named.every((file) => existsSync(join(root, file)));
}

/** The public entries of a package, each with a function that loads its source. */
function listEntries(folder: string): readonly (readonly [string, () => Promise<object>])[] {
  const { name, exports = {} } = JSON.parse(
    readFileSync(join(root, folder, "package.json"), "utf8"),
  );
  return Object.entries<Record<string, unknown>>(exports).map(([subpath, conditions]) => {
    const source = conditions["@jobset-ts/source"] ?? conditions;
    return [
      `${name}${subpath.slice(1)}`,
      () => import(/* @vite-ignore */ join(root, folder, `${source}`)),
    ];
  });
}

function folders(parent: string): readonly string[] {
  return foldersIn(root, parent);
}

/** The source files with examples in their docstrings. */
function sources(): readonly string[] {
  return folders("packages")
    .flatMap((folder) =>
      readdirSync(join(root, folder, "src"), { recursive: true, encoding: "utf8" }).map((name) =>
        join(root, folder, "src", name),
      ),
    )
    .filter((file) => file.endsWith(".ts") && !/\.test(-d)?\.ts$|[\\/]testing[\\/]/.test(file))
    .filter((file) => readFileSync(file, "utf8").includes("@example"))
    .map((file) => relative(root, file));
}
