import { fieldPath, type PathStep } from "@jobset-ts/api/errors";
import { redactPath } from "@jobset-ts/api/redaction";
import { getShape } from "@jobset-ts/api/typed";
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
import { resolvePlainScalar } from "../output/plain-scalar.ts";
import type { Document } from "./document.ts";
import { type DocumentError, errorMessages } from "./document-error.ts";
import { getLineIndex } from "./line-index.ts";
import { findStepsAt, type LocatedValue } from "./located-value.ts";
import { getOffset, isMergeKey, toYamlValue } from "./yaml-value.ts";

/** The characters that YAML 1.1 allows in a text without escapes. go-yaml also rejects all others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const forbiddenCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]/;

/** Reads the documents of a YAML stream as kubectl does. Empty documents are omitted. */
export function readYamlDocuments(text: string): readonly Document[] {
  const positionAt = getLineIndex(text);
  const composed = parseAllDocuments(text, {
    schema: "failsafe",
    version: "1.1",
    resolveKnownTags: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  if (!Array.isArray(composed)) return []; // The stream contains only comments.
  const documents: Document[] = [];
  let start = 0;
  for (const document of composed) {
    const { value, errors, duplicates, targets } = toYamlValue(
      document,
      (at) => positionAt(at).line,
    );
    const root = locateNode(document.contents, targets);
    const end = document.range[2];
    const unreadable =
      findSyntaxError(document, root) ?? findCharacterError(text, start, end, root);
    start = end;
    if (unreadable !== undefined) {
      documents.push({ value, errors: [unreadable], duplicates, root, positionAt });
    } else if (value !== null || errors.length > 0) {
      documents.push({ value, errors, duplicates, root, positionAt });
    }
  }
  return documents;
}

/** Returns the first syntax error. Later ones are often its consequences. */
function findSyntaxError(
  document: YamlDocument.Parsed,
  root: LocatedValue,
): DocumentError | undefined {
  const [error] = document.errors;
  if (error === undefined) return undefined;
  const offset = error.pos[0];
  const steps = findStepsAt(root, offset);
  // The parser has exceeded the stack.
  if (error.message.includes("call stack")) {
    return { offset, field: fieldPath(redactPath(steps)), message: errorMessages.tooDeep };
  }
  const message = `not YAML: ${formatSyntaxError(error)}`;
  return { offset, field: fieldPath(keepKnownSteps(steps)), message };
}

/** Formats a syntax error without text of the document, which may be secret. */
function formatSyntaxError({ code, message }: YamlError): string {
  const own = syntaxMessages[code];
  return own === undefined ? lowerFirst(message) : own;
}

type YamlError = YamlDocument.Parsed["errors"][number];

/** These messages replace those that quote the text. */
const syntaxMessages: Partial<Readonly<Record<YamlError["code"], string>>> = {
  BAD_COLLECTION_TYPE: "the tag is invalid for a list or an object",
  BAD_DIRECTIVE: "the directive is invalid",
  BAD_DQ_ESCAPE: "the escape sequence in double quotes is invalid; write \\\\ for a backslash",
  BAD_PROP_ORDER: "an anchor or tag must follow the indicator",
  BAD_SCALAR_START: "a string that starts with this character must be in quotes",
  RESOURCE_EXHAUSTION: "the document needs too much memory",
  TAG_RESOLVE_FAILED: "the tag cannot be resolved",
  UNEXPECTED_TOKEN: "unexpected text here; check quotes, brackets and indentation",
};

/**
 * Returns the reliable part of a path in a broken text. A wrong quote or indentation can turn part of a value into a
 * key. For this reason, the path ends with the last known Kubernetes field.
 */
function keepKnownSteps(steps: readonly PathStep[]): readonly PathStep[] {
  fieldNames ??= new Set(["items", ...listFieldNames(getShape("JobSet"), new Set())]);
  const end = steps.findIndex((step) => typeof step === "string" && !fieldNames?.has(step));
  return redactPath(end < 0 ? steps : steps.slice(0, end));
}

/** The field names of a JobSet, with its Jobs and Pods. */
let fieldNames: ReadonlySet<string> | undefined;

function* listFieldNames(shape: Shape, seen: Set<Shape>): Generator<string, void, undefined> {
  if (seen.has(shape)) return;
  seen.add(shape);
  for (const { name, typedShape } of shape.members) {
    yield name;
    if (typedShape !== undefined) yield* listFieldNames(typedShape, seen);
  }
}

type Shape = ReturnType<typeof getShape>;

function findCharacterError(
  text: string,
  start: number,
  end: number,
  root: LocatedValue,
): DocumentError | undefined {
  const found = forbiddenCharacter.exec(text.slice(start, end));
  if (found === null) return undefined;
  const offset = start + found.index;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const message = `not YAML: the control character U+${code} is not allowed`;
  return { offset, field: fieldPath(redactPath(findStepsAt(root, offset))), message };
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** Locates the parts of a node. An alias has its own position and the parts of its target. */
function locateNode(
  node: Node | null,
  targets: ReadonlyMap<Alias, Node>,
  offset = node === null ? 0 : getOffset(node),
): LocatedValue {
  const target = isAlias(node) ? (targets.get(node) ?? null) : node;
  return {
    offset,
    members: () => locateMembers(target, targets),
    elements: () =>
      isSeq(target) ? target.items.map((item) => locateNode(item as Node, targets)) : [],
  };
}

function locateMembers(
  node: Node | null,
  targets: ReadonlyMap<Alias, Node>,
): ReadonlyMap<string, LocatedValue> {
  const members = new Map<string, LocatedValue>();
  if (!isMap(node)) return members;
  for (const { key, value } of node.items as Pair<Node | null, Node | null>[]) {
    if (isMergeKey(key)) {
      const sources = isSeq(value) ? (value.items as Node[]).toReversed() : [value];
      for (const source of sources) {
        for (const [name, member] of locateNode(source, targets).members()) {
          members.set(name, member);
        }
      }
    } else if (key !== null) {
      const name = getKeyName(isAlias(key) ? targets.get(key) : key);
      members.set(name, locateNode(value, targets, getOffset(key)));
    }
  }
  return members;
}

/** Returns the name of a key. An unquoted key has the name of its resolved value: `yes` is `true`. */
function getKeyName(key: Node | undefined): string {
  if (!isScalar(key)) return "";
  const text = key.source ?? "";
  return key.type === "PLAIN" ? String(resolvePlainScalar(text)) : text;
}
