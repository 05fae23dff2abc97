import { isUtf8 } from "node:buffer";
import { compareBytes } from "@jobset-ts/api/text";
import type { Diagnostic } from "../output/diagnostics.ts";
import type { Progress } from "../output/progress.ts";
import type { FolderEntry } from "./folder.ts";
import { decompress, isGzip, NOT_GZIP, TRUNCATED_GZIP } from "./gzip.ts";
import { MAX_BYTES, type OnBytesRead, TOO_LARGE } from "./read-limited.ts";

/** The path that means standard input. */
const STDIN = "-";

/** Access to files and standard input. */
export interface Files {
  readonly readFile: (path: string, onBytesRead?: OnBytesRead) => Promise<Uint8Array>;
  readonly readStdin: (onBytesRead?: OnBytesRead) => Promise<Uint8Array>;
  /** Lists the entries of a folder, in any order. */
  readonly readFolder: (path: string) => Promise<readonly FolderEntry[]>;
  /** Receives the progress. Absent if no terminal shows it. */
  readonly progress?: Progress;
}

/** The options for reading paths. */
export interface ReadOptions {
  /** Whether to read the subfolders of a folder. */
  readonly recursive?: boolean;
}

/** Makes standard input readable only once. A second reader would otherwise get nothing and treat it as empty input. */
export function limitStdinToOneRead<Some extends Files>(files: Some): Some {
  let isRead = false;
  const readStdin = async (onBytesRead?: OnBytesRead) => {
    if (isRead) throw Object.assign(new Error("read before"), { code: STDIN_IS_READ });
    isRead = true;
    return files.readStdin(onBytesRead);
  };
  return { ...files, readStdin };
}

const STDIN_IS_READ = "STDIN_IS_READ";

/** Access to files and the current time. */
export interface FilesAndClock extends Files {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The text of one file, decompressed if it is a gzip file. */
export interface Source {
  /** The name in diagnostics. */
  readonly name: string;
  readonly text: string;
  /** The bytes of a large file. Its text is expensive to decode, so it is decoded only if necessary. */
  readonly bytes?: Uint8Array;
}

/** From this size on, the memory use of a file matters. */
const LARGE_FILE_BYTES = 1024 * 1024;

/**
 * Reads the texts of files in the order of the paths, and reports files that cannot be read. A folder contains its
 * JSON and YAML files, by name.
 */
export async function readSources(
  paths: readonly string[],
  files: Files,
  options: ReadOptions = {},
): Promise<{ readonly sources: readonly Source[]; readonly diagnostics: readonly Diagnostic[] }> {
  const sources: Source[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const path of paths) {
    for await (const read of listTexts(path, files, options)) {
      if ("message" in read) diagnostics.push(read);
      else sources.push(read);
    }
  }
  return { sources, diagnostics };
}

type Texts = AsyncGenerator<Source | Diagnostic, void, undefined>;

async function* listTexts(path: string, files: Files, options: ReadOptions): Texts {
  if (path === STDIN) {
    yield await readSource("<stdin>", files.readStdin, files);
    return;
  }
  const read = await readSource(path, (onBytesRead) => files.readFile(path, onBytesRead), files);
  if (!("isFolder" in read)) {
    yield read;
    return;
  }
  let any = false;
  for await (const inside of listFolderTexts(path, files, options)) {
    any = true;
    yield inside;
  }
  if (any) return;
  const below = options.recursive ? "" : "; -R includes its subfolders";
  yield createFileError(path, `is a folder without a .json, .yaml or .yml file${below}`);
}

interface UnreadFolder extends Diagnostic {
  readonly isFolder: true;
}

async function readSource(
  name: string,
  read: (onBytesRead: OnBytesRead) => Promise<Uint8Array>,
  { progress }: Files,
): Promise<Source | Diagnostic | UnreadFolder> {
  let bytes: Uint8Array;
  try {
    bytes = await read((length) => progress?.(`reading ${name}: ${formatMegabytes(length)}`));
    if (isGzip(bytes)) bytes = await decompress(bytes);
  } catch (error) {
    if (getCode(error) === "EISDIR")
      return { ...createFileError(name, "is a folder"), isFolder: true };
    return createFileError(name, formatReadError(error));
  }
  if (bytes.length > MAX_BYTES) return createFileError(name, tooLarge);
  if (bytes.length >= LARGE_FILE_BYTES && isUtf8(bytes)) return createLargeSource(name, bytes);
  try {
    // A byte order mark is dropped, as in kubectl.
    return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { ...createFileError(name, "not UTF-8 text"), position: findInvalidByte(bytes) };
  }
}

function createLargeSource(name: string, bytes: Uint8Array): Source {
  let text: string | undefined;
  return {
    name,
    bytes,
    get text() {
      text ??= new TextDecoder("utf-8").decode(bytes);
      return text;
    },
  };
}

/** @example formatMegabytes(2_000_000) // => "2 MB" */
export function formatMegabytes(length: number): string {
  return `${Math.floor(length / 1e6)} MB`;
}

/** Follows kubectl: files and folders are sorted by name, and only files with these suffixes are read. */
async function* listFolderTexts(folder: string, files: Files, options: ReadOptions): Texts {
  let entries: readonly FolderEntry[];
  try {
    entries = await files.readFolder(folder);
  } catch (error) {
    yield createFileError(folder, formatReadError(error));
    return;
  }
  for (const { name, kind } of entries.toSorted((a, b) => compareBytes(a.name, b.name))) {
    // In a mounted ConfigMap, the kubelet owns these entries. The files next to them are links into them.
    if (name.startsWith("..")) continue;
    const path = `${folder.replace(/\/+$/, "")}/${name}`;
    if (kind === "Folder") {
      if (options.recursive) yield* listFolderTexts(path, files, options);
    } else if (kind === "LinkedFolder") {
      // Links to folders could form cycles, and lead to the same file twice.
      if (options.recursive)
        yield createFileError(
          path,
          "is a link to a folder, and -R does not follow links; use -f with this folder",
        );
    } else if (/\.(?:json|yaml|yml)$/.test(name)) {
      if (kind === "File") {
        yield await readSource(path, (onBytesRead) => files.readFile(path, onBytesRead), files);
      } else
        yield createFileError(
          path,
          kind === "BrokenLink" ? "is a link without a target" : "is not a regular file",
        );
    }
  }
}

function createFileError(file: string, message: string): Diagnostic {
  return { severity: "error", file, message };
}

const tooLarge = `larger than ${MAX_BYTES.toLocaleString("en")} bytes, the maximum size of a file`;

function getCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function formatReadError(error: unknown): string {
  switch (getCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return "no such file";
    case "ELOOP":
      return "links to itself";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case STDIN_IS_READ:
      return "standard input can be read only once";
    case TOO_LARGE:
      return tooLarge;
    case TRUNCATED_GZIP:
      return "truncated gzip file";
    case NOT_GZIP:
      return "corrupt gzip file";
    default:
      return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Returns the line and the column of the first byte that is not UTF-8. */
function findInvalidByte(bytes: Uint8Array): { line: number; column: number } {
  // Decoding replaces invalid bytes. After encoding the text again, the first difference is the first invalid byte.
  const replaced = Buffer.from(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  let at = 0;
  while (replaced[at] === bytes[at]) at++;
  const before = bytes.subarray(0, at);
  const line = before.reduce((count, byte) => (byte === 0x0a ? count + 1 : count), 1);
  return { line, column: at - before.lastIndexOf(0x0a) };
}
