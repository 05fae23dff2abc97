import swc from "@swc/wasm-typescript";
import ts from "typescript";

/** Example code as JavaScript, with a check in place of each `// =>`. */
export interface Snippet {
  readonly javascript: string;
  /** The number of checked values. */
  readonly checks: number;
  /** The names of the exported functions. */
  readonly exports: readonly string[];
}

/**
 * Example code made runnable: its imports become `await load("…")`, and a statement that ends in `// => value` is
 * followed by a check that its value (or that of the constant it declares) equals `value`.
 *
 * A value may continue in further comment lines. The text after the value on its line is part of it.
 */
export function prepareSnippet(code: string): Snippet {
  const source = ts.createSourceFile("snippet.ts", code, ts.ScriptTarget.ES2023, true);
  let checks = 0;
  const exports: string[] = [];
  const statements = source.statements.map((statement) => {
    const text = statement.getText(source);
    if (ts.isImportDeclaration(statement)) return createImport(statement);
    if (ts.isFunctionDeclaration(statement) && text.startsWith("export ")) {
      exports.push(statement.name?.text ?? "");
      return text.slice("export ".length);
    }
    const expected = findExpectedValue(code, statement.getEnd());
    if (expected === undefined) return text;
    checks += 1;
    return toAssertion(statement, source, expected);
  });
  // Stripping types is enough, and faster than a full emit by TypeScript.
  const { code: javascript } = swc.transformSync(statements.join("\n"), { mode: "strip-only" });
  return { javascript, checks, exports };
}

/** The text after `// =>` on the line on which a statement ends. */
function findExpectedValue(code: string, end: number): string | undefined {
  const rest = code.slice(
    end,
    code.indexOf("\n", end) === -1 ? undefined : code.indexOf("\n", end),
  );
  return /^;?\s*\/\/ => (?<value>.+)$/.exec(rest)?.groups?.value;
}

function toAssertion(statement: ts.Statement, source: ts.SourceFile, expected: string): string {
  const text = statement.getText(source);
  if (ts.isExpressionStatement(statement)) {
    return `check(${statement.expression.getText(source)}, (${expected}));`;
  }
  const declaration = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations[0]
    : undefined;
  if (declaration === undefined) throw new Error(`"// =>" stands behind no value: ${text}`);
  return `${text}\ncheck(${declaration.name.getText(source)}, (${expected}));`;
}

/** `import x, { a, type B } from "x"` as `const { default: x, a } = await load("x")`. */
function createImport(statement: ts.ImportDeclaration): string {
  const { name: whole, namedBindings, isTypeOnly } = statement.importClause ?? {};
  const isRunnable =
    namedBindings === undefined ? whole !== undefined : ts.isNamedImports(namedBindings);
  if (!isRunnable) throw new Error(`only named imports can be run: ${statement.getText()}`);
  const named =
    namedBindings !== undefined && ts.isNamedImports(namedBindings) ? namedBindings.elements : [];
  const names = named
    .filter((element) => !element.isTypeOnly && !isTypeOnly)
    .map(({ name, propertyName }) =>
      propertyName === undefined ? name.text : `${propertyName.text}: ${name.text}`,
    );
  if (whole !== undefined && !isTypeOnly) names.unshift(`default: ${whole.text}`);
  return `const { ${names.join(", ")} } = await load(${statement.moduleSpecifier.getText()});`;
}
