import { basename, dirname, join } from "node:path";
import ts from "typescript";
import { docstringExamples } from "./docstring-examples.ts";

/** A name that the root of a package exports. */
export interface RootName {
  readonly name: string;
  /** The code of the examples in its docstring. */
  readonly examples: readonly string[];
  /** Whether another package declares it, whose own root is checked with its examples. */
  readonly isReexported: boolean;
}

/** What the root of a package exports, and what the compiler says of its examples. */
export interface PackageRoot {
  readonly names: readonly RootName[];
  /** One text for each mistake, the name first whose example it is in. */
  readonly mistakes: readonly string[];
}

/**
 * What the roots of packages export, in their order. They have most files in common, so all of them are one program.
 *
 * @param indexes - the files that are the roots; an example may use each name that its own exports
 * @param project - whether they are compiled as the libraries are, which know of no runtime, or as programs
 */
export function packageRoots(
  indexes: readonly string[],
  project: "libraries" | "programs",
): readonly PackageRoot[] {
  const options = compilerOptions(project);
  const program = ts.createProgram(indexes, options);
  const roots = indexes.map((index) => ({ index, names: namesOf(index, program) }));
  const examples = new Map(roots.flatMap(({ index, names }) => exampleFiles(index, names)));
  const mistakes = mistakesIn(examples, program);
  return roots.map(({ index, names }) => ({
    names,
    mistakes: mistakes.flatMap(({ file, text }) =>
      dirname(file) === dirname(index)
        ? [`${basename(file).replace(/\.example-\d+\.ts$/, "")}: ${text}`]
        : [],
    ),
  }));
}

function namesOf(index: string, program: ts.Program): readonly RootName[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(index);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${index} exports nothing`);
  return checker.getExportsOfModule(module).map((symbol) => {
    const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const statements = (own.declarations ?? []).map(statementOf);
    const examples = statements.flatMap((one) => docstringExamples(one.getFullText()));
    return {
      name: symbol.name,
      examples: examples.map(({ code }) => code),
      isReexported: statements.every(
        (one) => !one.getSourceFile().fileName.startsWith(dirname(index)),
      ),
    };
  });
}

function compilerOptions(project: string): ts.CompilerOptions {
  const file = ts.findConfigFile(
    import.meta.dirname,
    ts.sys.fileExists,
    `tsconfig.${project}.json`,
  );
  if (file === undefined) throw new Error(`nothing says how ${project} are compiled`);
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

/** Each example as a file of its own beside the root, which imports the names that it uses: paths and texts. */
function exampleFiles(index: string, names: readonly RootName[]) {
  const own = names.filter(({ isReexported }) => !isReexported);
  return own.flatMap(({ name, examples }) =>
    examples.map((code, at) => {
      const used = names.map((other) => other.name).filter((other) => usesName(code, other));
      const imports = `import { ${used.join(", ")} } from "./index.ts";`;
      return [join(dirname(index), `${name}.example-${at}.ts`), `${imports}\n${code}`] as const;
    }),
  );
}

interface Mistake {
  readonly file: string;
  readonly text: string;
}

/** What the compiler says of files that are nowhere on a disk. */
function mistakesIn(files: ReadonlyMap<string, string>, before: ts.Program): readonly Mistake[] {
  const options = { ...before.getCompilerOptions(), verbatimModuleSyntax: false };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (file, version) => {
    const text = files.get(file);
    if (text !== undefined) return ts.createSourceFile(file, text, version);
    return before.getSourceFile(file) ?? getSourceFile(file, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    return [
      ...program.getSemanticDiagnostics(source),
      ...program.getSyntacticDiagnostics(source),
    ].map(({ messageText }) => ({
      file,
      text: ts.flattenDiagnosticMessageText(messageText, "\n"),
    }));
  });
}

function usesName(code: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(code);
}
