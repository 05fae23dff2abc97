import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { docstringExamples } from "./docstring-examples.ts";

/** A name that the root of a package exports. */
export interface RootName {
  readonly name: string;
  /** The code of the examples in its docstring. */
  readonly examples: readonly string[];
}

/** What the root of a package exports, and what the compiler says of its examples. */
export interface PackageRoot {
  readonly names: readonly RootName[];
  /** One text for each mistake, the name first whose example it is in. */
  readonly mistakes: readonly string[];
}

/**
 * @param index - the file that is the root of a package; an example may use each name that it exports
 * @param project - whether it is compiled as the libraries are, which know of no runtime, or as programs
 */
export function packageRoot(index: string, project: "libraries" | "programs"): PackageRoot {
  const options = compilerOptions(dirname(index), project);
  const program = ts.createProgram([index], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(index);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${index} exports nothing`);
  const names = checker.getExportsOfModule(module).map((symbol): RootName => {
    const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const statements = (own.declarations ?? []).map(statementOf);
    const examples = statements.flatMap((one) => docstringExamples(one.getFullText()));
    return { name: symbol.name, examples: examples.map(({ code }) => code) };
  });
  return { names, mistakes: mistakesIn(names, index, program) };
}

/** There is no file of its own for each package. */
function compilerOptions(folder: string, project: string): ts.CompilerOptions {
  const file = ts.findConfigFile(folder, ts.sys.fileExists, `tsconfig.${project}.json`);
  if (file === undefined) throw new Error(`nothing says how ${folder} is compiled`);
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(file));
  // Examples are files that no project lists.
  return { ...options, composite: false };
}

/** The whole statement that declares something, with the docstring before it. */
function statementOf(declaration: ts.Node): ts.Node {
  let node = declaration;
  while (!ts.isSourceFile(node.parent)) node = node.parent;
  return node;
}

/** Checks each example as a file of its own beside the root, which imports the names that it uses. */
function mistakesIn(names: readonly RootName[], index: string, before: ts.Program): string[] {
  const files = new Map(
    names.flatMap(({ name, examples }) =>
      examples.map((code, at) => {
        const used = names.map((other) => other.name).filter((other) => usesName(code, other));
        const imports = `import { ${used.join(", ")} } from "./index.ts";`;
        return [join(dirname(index), `${name}.example-${at}.ts`), `${imports}\n${code}`] as const;
      }),
    ),
  );
  const options = { ...before.getCompilerOptions(), verbatimModuleSyntax: false };
  const host = ts.createCompilerHost(options);
  const read = (file: string) => files.get(file) ?? readFileSync(file, "utf8");
  host.getSourceFile = (file, version) =>
    before.getSourceFile(file) ?? ts.createSourceFile(file, read(file), version);
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((file) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(file))
      .concat(program.getSyntacticDiagnostics(program.getSourceFile(file)))
      .map(({ messageText }) => {
        const name = file.slice(dirname(index).length + 1).replace(/\.example-\d+\.ts$/, "");
        return `${name}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
      }),
  );
}

function usesName(code: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(code);
}
