// Adds `undefined` to optional members in the published types, because the functions accept it. Then users who compile with
// exactOptionalPropertyTypes can pass such objects. The sources do not need it: they are compiled without that option.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** Rewrites the declaration files in a folder. */
export function acceptUndefined(folder) {
  for (const name of readdirSync(folder).filter((one) => /\.d\.c?ts$/.test(one))) {
    const file = join(folder, name);
    writeFileSync(file, withUndefined(readFileSync(file, "utf8")));
  }
}

/**
 * Returns declarations in which each optional member also accepts `undefined`, including methods and members of `Partial`.
 *
 * @example withUndefined("interface A { b?: () => void }") // => "interface A { b?: (() => void) | undefined }"
 */
export function withUndefined(text) {
  const source = ts.createSourceFile("all.d.ts", text, ts.ScriptTarget.Latest, true);
  return rewritten(source, source);
}

/** Returns the text of a node with its members rewritten. */
function rewritten(node, source) {
  let text = "";
  let at = node.getFullStart();
  ts.forEachChild(node, (child) => {
    text += source.text.slice(at, child.getFullStart()) + rewritten(child, source);
    at = child.end;
  });
  text += source.text.slice(at, node.end);
  if (isPartial(node)) text = text.replace(/Partial<(.*)>$/s, (_, whole) => partial(node, whole));
  if (isOptionalMethod(node)) return text.replace(methodParts, optionalMethod);
  if (!isOptional(node.parent) || node.parent.type !== node || acceptsUndefined(node)) return text;
  return `${lowest.has(node.kind) ? text.replace(/\S.*/s, "($&)") : text} | undefined`;
}

function partial({ typeArguments: [argument] }, text) {
  if (isRecord(argument)) return `Partial<${text.replace(/>$/, " | undefined>")}>`;
  const whole = ts.isTypeReferenceNode(argument) ? text : `(${text})`;
  return `{ [Key in keyof ${whole}]?: ${whole}[Key] | undefined }`;
}

const methodParts = /(\w+)\?([(<].*?);?$/s;

/** Keeps the member a method, so its parameters stay bivariant. */
function optionalMethod(_, name, signature) {
  return `${name}?: { ${name}${signature} }["${name}"] | undefined;`;
}

/** Types that need parentheses in a union. */
const lowest = new Set([
  ts.SyntaxKind.FunctionType,
  ts.SyntaxKind.ConstructorType,
  ts.SyntaxKind.ConditionalType,
]);

function isRecord(node) {
  if (!ts.isTypeReferenceNode(node) || node.typeName.getText() !== "Record") return false;
  return !lowest.has(node.typeArguments[1].kind);
}

function isPartial(node) {
  return ts.isTypeReferenceNode(node) && node.typeName.getText() === "Partial";
}

/** Returns whether a node declares an optional member. */
function isOptional(node) {
  if (node?.questionToken === undefined) return false;
  if (ts.isMappedTypeNode(node)) return node.questionToken.kind !== ts.SyntaxKind.MinusToken;
  return ts.isPropertySignature(node) || ts.isPropertyDeclaration(node);
}

function isOptionalMethod(node) {
  return ts.isMethodSignature(node) && node.questionToken !== undefined;
}

function acceptsUndefined(node) {
  const { UndefinedKeyword, UnknownKeyword, AnyKeyword } = ts.SyntaxKind;
  const parts = ts.isUnionTypeNode(node) ? node.types : [node];
  return parts.some(({ kind }) => [UndefinedKeyword, UnknownKeyword, AnyKeyword].includes(kind));
}
