import { fieldPath, type PathStep } from "@jobset-ts/api/errors";
import { JOBSET_API_VERSION, JOBSET_GROUP, JOBSET_KIND } from "@jobset-ts/api/keys";
import { isObject } from "@jobset-ts/api/kubernetes";
import { goQuote } from "@jobset-ts/api/text";
import type { Diagnostic } from "../output/diagnostics.ts";
import type { Progress } from "../output/progress.ts";
import type { Document } from "./document.ts";
import { type DuplicateField, errorMessages, MAX_DEPTH } from "./document-error.ts";
import { HEADER_MEMBER } from "./dump-header.ts";
import { readJsonDocuments } from "./json-document.ts";
import { readLargeList } from "./large-list.ts";
import { findNearestValue } from "./located-value.ts";
import { formatMegabytes, type Source } from "./sources.ts";
import { readYamlDocuments } from "./yaml-documents.ts";

/** A Kubernetes object from a file. */
export interface InputObject {
  readonly value: Readonly<Record<string, unknown>>;
  readonly file: string;
  /** The fields that are set more than once, by their paths in the object. */
  readonly duplicates: readonly DuplicateField[];
  /**
   * Creates a diagnostic about a field. If the field is absent, the diagnostic has the position of its nearest
   * ancestor.
   */
  readonly diagnose: (
    field: string,
    message: string,
    severity?: Diagnostic["severity"],
  ) => Diagnostic;
}

/** The content of files. */
export interface Input {
  /** All JobSets, in the order of the files. */
  readonly objects: readonly InputObject[];
  readonly jobSets: readonly InputObject[];
  /** The objects of other kinds. */
  readonly others: readonly InputObject[];
  /** The types of the readable documents, for objects and lists. */
  readonly documents: readonly DocumentType[];
  /** The reasons why documents or objects could not be read. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The apiVersion and kind of a document, which can be any value. */
export interface DocumentType {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  /** The header that `jobset dump` wrote next to the objects of a list. */
  readonly header?: unknown;
}

/**
 * Reads the objects in files: those of every document, and the items of every list.
 *
 * @param changed - applied to each object
 */
export function readObjects(
  sources: readonly Source[],
  progress?: Progress,
  changed: (object: unknown) => unknown = (object) => object,
): Input {
  const objects: InputObject[] = [];
  const documents: DocumentType[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const source of sources) {
    const file = source.name;
    const { length } = source.bytes ?? source.text;
    progress?.(`parsing ${file}: ${formatMegabytes(length)}`, length > LONG_TEXT_LENGTH);
    for (const { isChanged, ...document } of splitDocuments(source, changed)) {
      if (document.errors.length > 0) {
        for (const refusal of document.errors) {
          diagnostics.push(toDiagnostic(file, document, refusal));
        }
        continue;
      }
      if (isObject(document.value)) {
        const { apiVersion, kind, [HEADER_MEMBER]: header } = document.value;
        documents.push({ apiVersion, kind, ...(header !== undefined && { header }) });
      }
      const unclaimed = new Set(document.duplicates);
      for (const original of listItems(document.value, [])) {
        const item = isChanged ? original : { ...original, value: changed(original.value) };
        const object = createInputObject(file, document, item);
        if (object === undefined) {
          diagnostics.push(reportNotAnObject(file, document, item));
          continue;
        }
        for (const duplicate of listDuplicatesIn(document, item)) unclaimed.delete(duplicate);
        const diagnostic = isJobSet(object) ? undefined : reportMisnamedJobSet(object);
        if (diagnostic !== undefined) diagnostics.push(diagnostic);
        else objects.push(object);
      }
      for (const { field, line } of unclaimed) {
        const offset = findNearestValue(document.root, field).offset;
        const message = errorMessages.duplicateKey(line);
        diagnostics.push(toDiagnostic(file, document, { offset, field, message }));
      }
    }
  }
  const jobSets = objects.filter(isJobSet);
  const others = objects.filter((object) => !isJobSet(object));
  return { objects, jobSets, others, documents, diagnostics };
}

/** A text with this many characters takes more than a second to parse, without progress messages in between. */
const LONG_TEXT_LENGTH = 1e8;

/** A document whose objects may have been changed already. */
type ReadDocument = Document & { readonly isChanged: boolean };

function splitDocuments(
  source: Source,
  changed: (object: unknown) => unknown,
): readonly ReadDocument[] {
  const { bytes } = source;
  const list = bytes && readLargeList(bytes, changed, () => source.text);
  if (list !== undefined) return [{ ...list, isChanged: true }];
  const documents = readJsonDocuments(source.text) ?? readYamlDocuments(source.text);
  return documents.map((document) => ({ ...document, isChanged: false }));
}

function toDiagnostic(
  file: string,
  { positionAt }: Document,
  { offset, field, message }: Document["errors"][number],
): Diagnostic {
  return { severity: "error", file, position: positionAt(offset), field, message };
}

/** A value of a document, and its path. */
interface Item {
  readonly value: unknown;
  readonly steps: readonly PathStep[];
}

/** Yields the value itself, or the items of a `List`, a `JobSetList` and so on. An item can be a list again. */
function* listItems(value: unknown, steps: readonly PathStep[]): Generator<Item, void, undefined> {
  if (!isObject(value) || !isListKind(value) || steps.length > MAX_DEPTH) {
    yield { value, steps };
    return;
  }
  const items = value.items as readonly unknown[];
  for (const [index, item] of items.entries()) {
    yield* listItems(withListType(item, value), [...steps, "items", index]);
  }
}

function isListKind(value: Readonly<Record<string, unknown>>): boolean {
  return (
    typeof value.kind === "string" && value.kind.endsWith("List") && Array.isArray(value.items)
  );
}

/** The items of a typed list omit the apiVersion and kind that the list defines. */
function withListType(item: unknown, list: Readonly<Record<string, unknown>>): unknown {
  if (list.kind === "List" || !isObject(item)) return item;
  const kind = String(list.kind).slice(0, -"List".length);
  return { apiVersion: list.apiVersion, kind, ...item };
}

function createInputObject(file: string, document: Document, item: Item): InputObject | undefined {
  if (!isObject(item.value)) return undefined;
  // The closure references neither the document nor the item. Otherwise, a later diagnostic would keep all of them in
  // memory.
  const { root, positionAt } = document;
  const { steps } = item;
  return {
    value: item.value,
    file,
    duplicates: listDuplicatesIn(document, item).map(({ field, line }) => {
      return { field: field.slice(fieldPath(item.steps).length).replace(/^\./, ""), line };
    }),
    diagnose: (field, message, severity = "error") => ({
      severity,
      file,
      // Computed on demand, because only the first few of ten thousand diagnostics are shown.
      get position() {
        const object = findNearestValue(root, fieldPath(steps));
        return positionAt(findNearestValue(object, field).offset);
      },
      field,
      message,
    }),
  };
}

/** Returns the duplicate fields in an item. Those outside all items belong to the list. */
function listDuplicatesIn(
  { duplicates }: Document,
  { steps }: Pick<Item, "steps">,
): readonly DuplicateField[] {
  if (steps.length === 0 || duplicates.length === 0) return duplicates;
  const path = fieldPath(steps);
  return duplicates.filter(
    ({ field }) => field.startsWith(`${path}.`) || field.startsWith(`${path}[`),
  );
}

function reportNotAnObject(file: string, document: Document, { value, steps }: Item): Diagnostic {
  const field = fieldPath(steps);
  const position = document.positionAt(findNearestValue(document.root, field).offset);
  const message = `expected an object with apiVersion and kind, found ${getTypeName(value)}`;
  return { severity: "error", file, position, field, message };
}

function getTypeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? "a string" : `a ${typeof value}`;
}

/** Returns whether an object is a JobSet of the supported version. */
export function isJobSet({ value: { apiVersion, kind } }: InputObject): boolean {
  return apiVersion === JOBSET_API_VERSION && kind === JOBSET_KIND;
}

/** Returns why an object that looks like a JobSet is not one, or has no kind. */
function reportMisnamedJobSet({ value, diagnose }: InputObject): Diagnostic | undefined {
  const { apiVersion, kind } = value;
  for (const [field, type] of Object.entries({ apiVersion, kind })) {
    if (type === undefined || type === null || type === "")
      return diagnose(field, "Required value");
    if (typeof type !== "string") {
      return diagnose(field, `Invalid value: expected a string, found ${getTypeName(type)}`);
    }
  }
  const ofGroup = String(apiVersion).startsWith(`${JOBSET_GROUP}/`);
  if (kind === JOBSET_KIND)
    return diagnose("apiVersion", formatUnsupported(apiVersion, JOBSET_API_VERSION));
  return ofGroup ? diagnose("kind", formatUnsupported(kind, JOBSET_KIND)) : undefined;
}

function formatUnsupported(value: unknown, supported: string): string {
  return `Unsupported value: ${goQuote(String(value))}: supported values: ${goQuote(supported)}`;
}
