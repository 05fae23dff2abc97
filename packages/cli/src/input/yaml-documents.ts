import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  type Document as YamlDocument,
} from "yaml";
import type { Document } from "./document.ts";
import { lineIndexOf } from "./line-index.ts";
import { fieldAt, type LocatedValue } from "./located-value.ts";
import { resolvePlainScalar } from "./plain-scalar.ts";
import { type Refusal, refusals } from "./refusal.ts";
import { isMergeKey, offsetOf, yamlValueOf } from "./yaml-value.ts";

/** What YAML 1.1 allows in a text, unescaped; go-yaml, too, refuses the rest. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be found
const forbiddenCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]/;

/** The documents of a YAML stream as kubectl reads it; empty ones are left out. */
export function readYamlDocuments(text: string): readonly Document[] {
  const positionAt = lineIndexOf(text);
  const composed = parseAllDocuments(text, {
    schema: "failsafe",
    version: "1.1",
    resolveKnownTags: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  if (!Array.isArray(composed)) return []; // nothing but comments
  const documents: Document[] = [];
  let start = 0;
  for (const document of composed) {
    const { value, refusals, duplicates, targets } = yamlValueOf(
      document,
      (at) => positionAt(at).line,
    );
    const root = locatedNode(document.contents, targets);
    const end = document.range[2];
    const unreadable = syntaxRefusal(document, root) ?? characterRefusal(text, start, end, root);
    start = end;
    if (unreadable !== undefined) {
      documents.push({ value, refusals: [unreadable], duplicates, root, positionAt });
    } else if (value !== null || refusals.length > 0) {
      documents.push({ value, refusals, duplicates, root, positionAt });
    }
  }
  return documents;
}

/** The first syntax error; those behind it are often its consequences. */
function syntaxRefusal(document: YamlDocument.Parsed, root: LocatedValue): Refusal | undefined {
  const [error] = document.errors;
  if (error === undefined) return undefined;
  const offset = error.pos[0];
  // The parser says so when it runs out of stack.
  const tooDeep = error.message.includes("call stack");
  const message = tooDeep ? refusals.tooDeep : `not YAML: ${lowerFirst(error.message)}`;
  return { offset, field: fieldAt(root, offset), message };
}

function characterRefusal(
  text: string,
  start: number,
  end: number,
  root: LocatedValue,
): Refusal | undefined {
  const found = forbiddenCharacter.exec(text.slice(start, end));
  if (found === null) return undefined;
  const offset = start + found.index;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const message = `not YAML: the control character U+${code} must not stand in it`;
  return { offset, field: fieldAt(root, offset), message };
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** The places of a node's parts; an alias has its own place and its target's parts. */
function locatedNode(
  node: Node | null,
  targets: ReadonlyMap<Alias, Node>,
  offset = node === null ? 0 : offsetOf(node),
): LocatedValue {
  const target = isAlias(node) ? (targets.get(node) ?? null) : node;
  return {
    offset,
    members: () => locatedMembers(target, targets),
    elements: () =>
      isSeq(target) ? target.items.map((item) => locatedNode(item as Node, targets)) : [],
  };
}

function locatedMembers(
  node: Node | null,
  targets: ReadonlyMap<Alias, Node>,
): ReadonlyMap<string, LocatedValue> {
  const members = new Map<string, LocatedValue>();
  if (!isMap(node)) return members;
  for (const { key, value } of node.items as Pair<Node | null, Node | null>[]) {
    if (isMergeKey(key)) {
      const sources = isSeq(value) ? (value.items as Node[]).toReversed() : [value];
      for (const source of sources) {
        for (const [name, member] of locatedNode(source, targets).members()) {
          members.set(name, member);
        }
      }
    } else if (key !== null) {
      const name = keyName(isAlias(key) ? targets.get(key) : key);
      members.set(name, locatedNode(value, targets, offsetOf(key)));
    }
  }
  return members;
}

/** An unquoted key has the name of what it resolves to: `yes` is `true`. */
function keyName(key: Node | undefined): string {
  if (!isScalar(key)) return "";
  const text = key.source ?? "";
  return key.type === "PLAIN" ? String(resolvePlainScalar(text)) : text;
}
