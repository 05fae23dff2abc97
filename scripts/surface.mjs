// The public surface of the published packages as checked-in reports, so that no change of it goes unseen.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { captureBuild } from "./build.mjs";
import { root } from "./root.mjs";

const reports = join(root, "docs", "surface");

/** Builds the packages and writes their reports anew. Answers with the exit code. */
export async function writeSurface() {
  const { code, output } = await captureBuild();
  if (code !== 0) {
    process.stderr.write(output);
    return code;
  }
  mkdirSync(reports, { recursive: true });
  for (const [name, report] of surfaces()) writeFileSync(reportOf(name), report);
  return 0;
}

/** Compares the packages as they were built with their reports: `{ code, output }`. */
export function compareSurface() {
  const differences = [...surfaces()].flatMap(([name, report]) => {
    const file = reportOf(name);
    const stored = existsSync(file) ? readFileSync(file, "utf8") : "";
    return stored === report ? [] : [`packages/${name}:`, ...changedLines(stored, report), ""];
  });
  if (differences.length === 0) return { code: 0, output: "" };
  const advice = "The public surface has changed. If it is meant to: npm run surface, and commit.";
  return { code: 1, output: [...differences, advice].join("\n") };
}

function reportOf(name) {
  return join(reports, `${name}.txt`);
}

/** The report of each package that others import, by the package's folder. */
function* surfaces() {
  for (const name of readdirSync(join(root, "packages")).sort()) {
    const folder = join(root, "packages", name);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (manifest.private || manifest.exports === undefined) continue;
    const entries = Object.entries(manifest.exports).flatMap(([subpath, { import: esm }]) =>
      esm?.types === undefined
        ? []
        : [[`${manifest.name}${subpath.slice(1)}`, join(folder, esm.types)]],
    );
    if (entries.length > 0) yield [name, surfaceOf(entries)];
  }
}

/** All names that entries export, and what those are made of, each with its signature and without its docstring. */
function surfaceOf(entries) {
  const program = ts.createProgram({
    rootNames: entries.map(([, file]) => file),
    options: {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2023,
      types: [],
    },
  });
  const checker = program.getTypeChecker();
  const exported = new Set();
  const sections = entries.map(([name, file]) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} is missing: npm run build`);
    const symbols = checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]);
    const lines = symbols.sort(byName).map(([own, symbol]) => {
      const original = aliased(checker, symbol);
      exported.add(original);
      return declarationsOf(original, own);
    });
    return [`# ${name}`, ...lines].join("\n\n");
  });
  const folder = dirname(entries[0][1]);
  const others = program
    .getSourceFiles()
    .filter(({ fileName }) => dirname(fileName) === folder)
    .flatMap(({ statements }) => statements.flatMap((one) => symbolsOf(checker, one)))
    .filter((symbol) => !exported.has(symbol))
    .map((symbol) => [symbol.name, symbol]);
  const unexported = [...new Map(others.sort(byName)).values()];
  if (unexported.length > 0) {
    const lines = unexported.map((symbol) => declarationsOf(symbol, symbol.name));
    sections.push(["# not exported, named by the signatures above", ...lines].join("\n\n"));
  }
  return `${sections.join("\n\n")}\n`;
}

/** The names that a statement declares. */
function symbolsOf(checker, statement) {
  const declarations = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations
    : [statement];
  return declarations.flatMap(({ name }) =>
    name === undefined ? [] : [checker.getSymbolAtLocation(name)],
  );
}

function aliased(checker, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

const printer = ts.createPrinter({ removeComments: true });

function declarationsOf({ declarations = [] }, name) {
  return declarations
    .map((declaration) => {
      const file = declaration.getSourceFile();
      const text = printer.printNode(ts.EmitHint.Unspecified, declaration, file);
      const own = declaration.name?.getText(file) ?? name;
      const shown = ts.isVariableDeclaration(declaration) ? `const ${text};` : text;
      return own === name ? shown : `${shown} // as ${name}`;
    })
    .join("\n")
    .replaceAll(/^(export )?declare /gm, "");
}

function byName([one], [other]) {
  return one < other ? -1 : 1;
}

/** The lines that are only in one of two texts, those of the first with a minus. */
function changedLines(before, after) {
  const [old, next] = [before, after].map((text) => text.split("\n"));
  const [gone, come] = [new Set(next), new Set(old)];
  const lines = [
    ...old.filter((line) => !gone.has(line)).map((line) => `- ${line}`),
    ...next.filter((line) => !come.has(line)).map((line) => `+ ${line}`),
  ];
  return lines.length > 0 ? lines : ["  the same lines, in other places or numbers"];
}
