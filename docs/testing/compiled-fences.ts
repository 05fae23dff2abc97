import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import type ts from "typescript";
import type { FencedBlock } from "./markdown.ts";

type Compiler = typeof ts;

const require = createRequire(import.meta.url);
/** The oldest supported compiler, and the newest compiler with an API. */
const compilers: readonly Compiler[] = [require("typescript-5.4"), require("typescript")];

const native = join(dirname(require.resolve("typescript-native/package.json")), "bin", "tsc");

/** A way in which users compile. */
interface Setting {
  readonly resolution: "nodenext" | "bundler" | "node";
  readonly hasDom: boolean;
}

/**
 * The settings of the native compiler, which has no API and no longer supports the module
 * resolution `node`.
 */
const nativeSettings: readonly Setting[] = [
  { resolution: "nodenext", hasDom: false },
  { resolution: "bundler", hasDom: true },
];

/** The diagnostics of parameters and similar declarations without a type. */
const IMPLICIT_ANY = /^70\d\d$/;

/** The strictness options of all compilations. */
const STRICT_OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  noEmit: true,
  skipLibCheck: true,
};

const settings: readonly Setting[] = (["nodenext", "bundler", "node"] as const).flatMap(
  (resolution) => [true, false].map((hasDom) => ({ resolution, hasDom })),
);

/**
 * Compiles the TypeScript and JavaScript of a page in a folder, as strictly as the compilers can, in each setting.
 *
 * JavaScript is checked with the types that it implies, and only where there are types of a runtime, since its reader needs none.
 *
 * @param folder - with the packages that the page installs; the code is written into it
 * @returns a text for each mistake, with the page's line
 */
export function compileFences(folder: string, blocks: readonly FencedBlock[]): readonly string[] {
  const lines = new Map(
    blocks.filter(isCode).map((block) => [getFilePath(folder, block), block.line]),
  );
  for (const block of blocks.filter(isCode)) writeFileSync(getFilePath(folder, block), block.code);
  const hasNode = existsSync(join(folder, "node_modules", "@types", "node"));
  const listFiles = ({ hasDom }: Setting) =>
    [...lines.keys()].filter((file) => file.endsWith(".mts") || hasNode || hasDom);
  const mistakes = compilers.flatMap((compiler) => {
    const sources: SourceFiles = new Map();
    return settings.flatMap((setting) => {
      const found = findErrors(compiler, folder, listFiles(setting), {
        ...setting,
        hasNode,
        sources,
      });
      return found.map(({ file, line, text }) => {
        const how = `TypeScript ${compiler.version}, ${getName(setting)}`;
        return `line ${(lines.get(file) ?? 0) + line}: ${text} (${how})`;
      });
    });
  });
  const bySetting = nativeSettings.map((setting) =>
    nativeMistakesIn(folder, listFiles(setting), { ...setting, hasNode }),
  );
  return [...mistakes, ...bySetting.flat()];
}

function getName({ resolution, hasDom }: Setting): string {
  return `${resolution}, ${hasDom ? "with" : "without"} DOM`;
}

function isCode({ language }: FencedBlock): boolean {
  return language === "ts" || language === "js";
}

function getFilePath(folder: string, { language, mark, line }: FencedBlock): string {
  return join(folder, mark?.kind === "file" ? mark.text : `line-${line}.m${language}`);
}

/** Source files that were already read, by their path and the options for reading them. */
type SourceFiles = Map<string, ts.SourceFile | undefined>;

/** The diagnostics of a compiler for some files. Programs share the files that they read. */
function findErrors(
  compiler: Compiler,
  folder: string,
  files: readonly string[],
  { sources, ...setting }: Setting & { readonly hasNode: boolean; readonly sources: SourceFiles },
) {
  const options = createOptions(compiler, setting);
  const host = compiler.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getCurrentDirectory = () => folder;
  host.getSourceFile = (file, how, ...rest) => {
    const format = typeof how === "object" ? how.impliedNodeFormat : undefined;
    const key = `${file} ${format}`;
    if (!sources.has(key)) sources.set(key, getSourceFile(file, how, ...rest));
    return sources.get(key);
  };
  const program = compiler.createProgram(files, options, host);
  const mistakes = compiler
    .getPreEmitDiagnostics(program)
    .filter(({ file, code }) => !(file?.fileName.endsWith("js") && IMPLICIT_ANY.test(`${code}`)));
  return mistakes.map(({ file, start, messageText }) => ({
    file: file?.fileName ?? "",
    line: file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1,
    text: compiler.flattenDiagnosticMessageText(messageText, "\n"),
  }));
}

/** The diagnostics of TypeScript 7 for TypeScript files, one text for each error. */
function nativeMistakesIn(
  folder: string,
  all: readonly string[],
  { hasNode, ...setting }: Setting & { readonly hasNode: boolean },
): readonly string[] {
  const files = all.filter((file) => file.endsWith(".mts"));
  if (files.length === 0) return [];
  const compilerOptions = {
    ...STRICT_OPTIONS,
    target: "es2022",
    lib: ["es2023", ...(setting.hasDom ? ["dom"] : [])],
    module: setting.resolution === "nodenext" ? "nodenext" : "esnext",
    moduleResolution: setting.resolution,
    moduleDetection: "force",
    types: hasNode ? ["node"] : [],
  };
  const project = join(folder, "tsconfig.json");
  writeFileSync(project, JSON.stringify({ compilerOptions, files }));
  const { stdout } = spawnSync(process.execPath, [native, "-p", project], { encoding: "utf8" });
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => `${line} (TypeScript 7, ${getName(setting)})`);
}

function createOptions(
  compiler: Compiler,
  { resolution, hasDom, hasNode }: Setting & { readonly hasNode: boolean },
) {
  const { ModuleKind, ModuleResolutionKind, ModuleDetectionKind, ScriptTarget } = compiler;
  const isNewest = Number.parseInt(compiler.version, 10) >= 6;
  return {
    target: ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", ...(hasDom ? ["lib.dom.d.ts", "lib.dom.iterable.d.ts"] : [])],
    module: resolution === "nodenext" ? ModuleKind.NodeNext : ModuleKind.ESNext,
    moduleResolution: {
      nodenext: ModuleResolutionKind.NodeNext,
      bundler: ModuleResolutionKind.Bundler,
      node: ModuleResolutionKind.Node10,
    }[resolution],
    ...(isNewest && resolution === "node" && { ignoreDeprecations: "6.0" }),
    moduleDetection: ModuleDetectionKind.Force,
    types: hasNode ? ["node"] : [],
    allowJs: true,
    checkJs: true,
    ...STRICT_OPTIONS,
  } satisfies ts.CompilerOptions;
}
