import { fieldPath, type PathStep } from "@jobset-ts/api/errors";
import { isRedactedPath, redactPath } from "@jobset-ts/api/redaction";
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { resolvePlainScalar, type ScalarValue } from "../output/plain-scalar.ts";
import {
  checkKey,
  checkText,
  type DocumentError,
  type DuplicateField,
  errorMessages,
  MAX_DEPTH,
  REDACTED,
} from "./document-error.ts";

/** The maximum number of values that all aliases together expand to. */
const MAX_ALIASED_VALUES = 100_000;

/** A YAML document as a JSON value. */
export interface YamlValue {
  /** The value. Invalid parts are null. */
  readonly value: unknown;
  readonly errors: readonly DocumentError[];
  readonly duplicates: readonly DuplicateField[];
  /** The target of each valid alias. */
  readonly targets: ReadonlyMap<Alias, Node>;
}

/**
 * Converts a YAML document to JSON. The document was composed with the `failsafe` schema, in which every scalar is a
 * string.
 *
 * Scalars, keys and merge keys have the same meaning as in kubectl. Values that kubectl would change silently or cannot
 * read are errors: integers beyond 2^53, keys that are floats, null or not scalars, recursive aliases and alias bombs.
 * The last value of a duplicate key counts.
 *
 * @param lineOf - returns the line of an offset, from 1
 */
export function toYamlValue(
  document: Document.Parsed,
  lineOf: (offset: number) => number,
): YamlValue {
  const conversion = new Conversion(lineOf);
  const value = document.contents === null ? null : conversion.readNode(document.contents);
  const { errors, targets } = conversion;
  return { value, errors, duplicates: [...conversion.duplicates.values()], targets };
}

/** Converts a document in one pass, in document order, so that anchors are known before their aliases. */
class Conversion {
  readonly errors: DocumentError[] = [];
  readonly duplicates = new Map<string, DuplicateField>();
  readonly targets = new Map<Alias, Node>();
  readonly #lineOf: (offset: number) => number;
  readonly #path: PathStep[] = [];
  /** The latest node of each anchor. It has no value while it is being read. */
  readonly #anchors = new Map<string, { node: Node; done?: { value: unknown; size: number } }>();
  /** The number of values so far. Values behind aliases count each time. */
  #size = 0;
  #aliasedSize = 0;

  constructor(lineOf: (offset: number) => number) {
    this.#lineOf = lineOf;
  }

  readNode(node: Node | null): unknown {
    if (node === null) return null;
    if (isAlias(node)) return this.#readAlias(node);
    const anchor = "anchor" in node ? (node.anchor as string | undefined) : undefined;
    if (anchor === undefined) return this.#read(node);
    const known: { node: Node; done?: { value: unknown; size: number } } = { node };
    this.#anchors.set(anchor, known);
    const sizeBefore = this.#size;
    const value = this.#read(node);
    known.done = { value, size: this.#size - sizeBefore };
    return value;
  }

  #read(node: Node): unknown {
    this.#size++;
    if (this.#path.length > MAX_DEPTH) return this.#addError(node, errorMessages.tooDeep);
    if (isScalar(node)) return this.#scalar(node);
    if (isMap(node)) return this.#object(node);
    if (isSeq(node)) return this.#list(node);
    return this.#addError(node, "is not a scalar, a list or an object");
  }

  #scalar(node: Scalar): unknown {
    const value = resolveTaggedScalar(node);
    const text = getSourceText(node);
    if (value === undefined) {
      return this.#addError(
        node,
        `Invalid value: "${this.#quote(text)}" cannot be read as ${this.#quote(node.tag ?? "")}`,
      );
    }
    if (typeof value === "bigint")
      return this.#addError(node, errorMessages.inexactInteger(this.#quote(text)));
    if (typeof value === "number" && !Number.isFinite(value)) {
      return this.#addError(node, errorMessages.notFinite(this.#quote(text)));
    }
    const error = typeof value === "string" ? checkText(value) : undefined;
    return error === undefined ? value : this.#addError(node, error);
  }

  #list(list: YAMLSeq): unknown[] {
    return list.items.map((item, index) => this.#at(index, () => this.readNode(item as Node)));
  }

  #object(map: YAMLMap): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    const offsets = new Map<string, number>();
    for (const pair of map.items as Pair<Node | null, Node | null>[]) {
      if (isMergeKey(pair.key)) {
        // As in go-yaml, merged members replace earlier members, and later members replace merged ones.
        Object.assign(object, this.#readMerged(pair.value ?? pair.key));
        continue;
      }
      const keyNode = pair.key ?? map;
      const key = this.#key(keyNode);
      // The value of an invalid key is read, too, because it may contain anchors or further errors.
      if (key === undefined) this.readNode(pair.value);
      else {
        this.#at(key, () => {
          const earlier = offsets.get(key);
          const error = checkKey(key);
          offsets.set(key, earlier ?? getOffset(keyNode));
          if (error !== undefined) this.#addError(keyNode, error);
          else if (earlier !== undefined) {
            const field = fieldPath(redactPath(this.#path));
            this.duplicates.set(field, { field, line: this.#lineOf(earlier) });
          }
          const value = this.readNode(pair.value);
          if (error === undefined) object[key] = value;
        });
      }
    }
    return object;
  }

  /** Returns a key as a string. Integers and booleans are converted. Returns `undefined` for an invalid key. */
  #key(node: Node): string | undefined {
    const errorsBefore = this.errors.length;
    const value = isScalar(node) || isAlias(node) ? this.readNode(node) : undefined;
    if (typeof value === "string") return value;
    if (typeof value === "boolean" || Number.isSafeInteger(value)) return String(value);
    if (this.errors.length === errorsBefore) {
      this.#addError(
        node,
        `Invalid value: ${this.#quote(getSourceText(node))}: a key must be a string; put it in quotes`,
      );
    }
    return undefined;
  }

  #readMerged(node: Node): Record<string, unknown> {
    const merged: Record<string, unknown> = {};
    // The first of several sources wins, so it is assigned last.
    for (const source of isSeq(node) ? (node.items as Node[]).toReversed() : [node]) {
      const errorsBefore = this.errors.length;
      const value = this.readNode(source);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) {
        Object.assign(merged, value);
      } else if (this.errors.length === errorsBefore) {
        this.#addError(source, "Invalid value: only an object or a list of objects can be merged");
      }
    }
    return merged;
  }

  #readAlias(alias: Alias): unknown {
    const anchor = this.#anchors.get(alias.source);
    if (anchor === undefined) {
      return this.#addError(
        alias,
        `Invalid value: the anchor &${this.#quote(alias.source)} is not defined before this alias`,
      );
    }
    if (anchor.done === undefined) {
      return this.#addError(
        alias,
        `Invalid value: the anchor &${this.#quote(alias.source)} contains itself`,
      );
    }
    if (this.#aliasedSize > MAX_ALIASED_VALUES) return null; // The error was already reported.
    this.#size += anchor.done.size;
    this.#aliasedSize += anchor.done.size;
    if (this.#aliasedSize > MAX_ALIASED_VALUES) {
      const limit = MAX_ALIASED_VALUES.toLocaleString("en");
      return this.#addError(
        alias,
        `Invalid value: the aliases expand to more than ${limit} values`,
      );
    }
    this.targets.set(alias, anchor.node);
    return anchor.done.value;
  }

  #at<Result>(step: PathStep, read: () => Result): Result {
    this.#path.push(step);
    const result = read();
    this.#path.pop();
    return result;
  }

  /** Returns a part of the source, unless the value at this path may be secret. */
  #quote(text: string): string {
    return isRedactedPath(this.#path) ? REDACTED : text;
  }

  #addError(node: Node, message: string): null {
    const field = fieldPath(redactPath(this.#path));
    this.errors.push({ offset: getOffset(node), field, message });
    return null;
  }
}

function getSourceText(node: Node): string {
  return isScalar(node) ? (node.source ?? "") : "object";
}

/** Returns the start of a node. */
export function getOffset(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** Returns whether a key is an unquoted `<<`. */
export function isMergeKey(key: Node | null): key is Scalar<string> {
  return isScalar(key) && key.value === "<<" && key.type === "PLAIN" && key.tag === undefined;
}

/** Resolves a scalar by its tag, quotes and text. Returns `undefined` if the text does not match the tag. */
function resolveTaggedScalar(node: Scalar): ScalarValue | undefined {
  const text = getSourceText(node);
  const { tag } = node;
  if (tag === undefined) return node.type === "PLAIN" ? resolvePlainScalar(text) : text;
  const value = resolvePlainScalar(text);
  switch (tag) {
    case "!":
    case "tag:yaml.org,2002:str":
    case "tag:yaml.org,2002:timestamp":
      return text;
    case "tag:yaml.org,2002:int":
      return typeof value === "bigint" || Number.isInteger(value) ? value : undefined;
    case "tag:yaml.org,2002:float":
      return typeof value === "number" ? value : undefined;
    case "tag:yaml.org,2002:bool":
      return typeof value === "boolean" ? value : undefined;
    case "tag:yaml.org,2002:null":
      return value === null ? value : undefined;
    default:
      return undefined;
  }
}
