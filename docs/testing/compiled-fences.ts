import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type ts from "typescript";
import type { FencedBlock } from "./markdown.ts";

type Compiler = typeof ts;

const require = createRequire(import.meta.url);
/** The oldest compiler that is supported, and the newest that programs can call. */
const compilers: readonly Compiler[] = [require("typescript-5.4"), require("typescript")];

/** A way in which users compile. */
interface Setting {
  readonly resolution: "nodenext" | "bundler" | "node";
  readonly hasDom: boolean;
}

const settings: readonly Setting[] = (["nodenext", "bundler", "node"] as const).flatMap(
  (resolution) => [true, false].map((hasDom) => ({ resolution, hasDom })),
);

/**
 * Compiles the TypeScript and JavaScript of a page in a folder, as strictly as the compilers can, in each setting. JavaScript is
 * checked with the types that it implies.
 *
 * @param folder - with the packages that the page installs; the code is written into it
 * @returns a text for each mistake, with the page's line
 */
export function compileFences(folder: string, blocks: readonly FencedBlock[]): readonly string[] {
  const lines = new Map(blocks.filter(isCode).map((block) => [fileOf(folder, block), block.line]));
  for (const block of blocks.filter(isCode)) writeFileSync(fileOf(folder, block), block.code);
  if (lines.size === 0) return [];
  return compilers.flatMap((compiler) => {
    const sources: SourceFiles = new Map();
    return settings.flatMap((setting) =>
      mistakesIn(compiler, folder, [...lines.keys()], { ...setting, sources }).map(
        ({ file, line, text }) => {
          const { resolution, hasDom } = setting;
          const how = `TypeScript ${compiler.version}, ${resolution}, ${hasDom ? "with" : "without"} DOM`;
          return `line ${(lines.get(file) ?? 0) + line}: ${text} (${how})`;
        },
      ),
    );
  });
}

function isCode({ language }: FencedBlock): boolean {
  return language === "ts" || language === "js";
}

function fileOf(folder: string, { language, mark, line }: FencedBlock): string {
  return join(folder, mark?.kind === "file" ? mark.text : `line-${line}.m${language}`);
}

/** Files that were read before, by their path and by how they were read. */
type SourceFiles = Map<string, ts.SourceFile | undefined>;

/** What a compiler reports of some files. Programs share the files that they read. */
function mistakesIn(
  compiler: Compiler,
  folder: string,
  files: readonly string[],
  { sources, ...setting }: Setting & { readonly sources: SourceFiles },
) {
  const options = optionsOf(compiler, folder, setting);
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
  return compiler.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => ({
    file: file?.fileName ?? "",
    line: file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1,
    text: compiler.flattenDiagnosticMessageText(messageText, "\n"),
  }));
}

function optionsOf(compiler: Compiler, folder: string, { resolution, hasDom }: Setting) {
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
    types: existsSync(join(folder, "node_modules", "@types", "node")) ? ["node"] : [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    skipLibCheck: true,
  } satisfies ts.CompilerOptions;
}
