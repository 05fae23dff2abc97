import { isUtf8 } from "node:buffer";
import { compareBytes } from "@jobset-ts/api/text";
import type { Diagnostic } from "../output/diagnostics.ts";
import type { Progress } from "../output/progress.ts";
import type { FolderEntry } from "./folder.ts";
import { CUT_OFF, isPacked, NOT_GZIP, unpacked } from "./packed.ts";
import { MAX_BYTES, TOO_LARGE, type Took } from "./read-within.ts";

/** The name with which the user asks for standard input. */
const STDIN = "-";

/** Where files come from. */
export interface Files {
  readonly readFile: (path: string, took?: Took) => Promise<Uint8Array>;
  readonly readStdin: (took?: Took) => Promise<Uint8Array>;
  /** What is in a folder, in any order. */
  readonly readFolder: (path: string) => Promise<readonly FolderEntry[]>;
  /** Receives the progress. Absent if no terminal shows it. */
  readonly progress?: Progress;
}

/** How paths are read. */
export interface Reading {
  /** Whether of a folder those below it are read, too. */
  readonly recursive?: boolean;
}

/** Makes standard input readable only once. A second reader would otherwise get nothing and treat it as empty input. */
export function stdinOnce<Some extends Files>(files: Some): Some {
  let isRead = false;
  const readStdin = async (took?: Took) => {
    if (isRead) throw Object.assign(new Error("read before"), { code: STDIN_IS_READ });
    isRead = true;
    return files.readStdin(took);
  };
  return { ...files, readStdin };
}

const STDIN_IS_READ = "STDIN_IS_READ";

/** The world of a command that looks at a cluster: files, and what time it is. */
export interface FilesAndClock extends Files {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The text of one file, unpacked if it is packed by gzip. */
export interface Source {
  /** As diagnostics call it. */
  readonly name: string;
  readonly text: string;
  /** The bytes of a large file. Decoding its text is expensive and better avoided. */
  readonly bytes?: Uint8Array;
}

/** From so many bytes on, it matters how much memory a file takes. */
const LARGE = 1024 * 1024;

/**
 * The texts of the files that could be read, in the order given, and what is wrong with the others. Of a folder these
 * are its JSON and YAML files, by name.
 */
export async function readSources(
  paths: readonly string[],
  files: Files,
  reading: Reading = {},
): Promise<{ readonly sources: readonly Source[]; readonly diagnostics: readonly Diagnostic[] }> {
  const sources: Source[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const path of paths) {
    for await (const read of listTexts(path, files, reading)) {
      if ("message" in read) diagnostics.push(read);
      else sources.push(read);
    }
  }
  return { sources, diagnostics };
}

type Texts = AsyncGenerator<Source | Diagnostic, void, undefined>;

async function* listTexts(path: string, files: Files, reading: Reading): Texts {
  if (path === STDIN) {
    yield await readSource("<stdin>", files.readStdin, files);
    return;
  }
  const read = await readSource(path, (took) => files.readFile(path, took), files);
  if (!("isFolder" in read)) {
    yield read;
    return;
  }
  let any = false;
  for await (const inside of textsIn(path, files, reading)) {
    any = true;
    yield inside;
  }
  if (any) return;
  const below = reading.recursive ? "" : "; -R reads the folders in it, too";
  yield fileError(path, `is a folder without a .json, .yaml or .yml file${below}`);
}

interface UnreadFolder extends Diagnostic {
  readonly isFolder: true;
}

async function readSource(
  name: string,
  read: (took: Took) => Promise<Uint8Array>,
  { progress }: Files,
): Promise<Source | Diagnostic | UnreadFolder> {
  let bytes: Uint8Array;
  try {
    bytes = await read((length) => progress?.(`reading ${name}: ${megabytes(length)}`));
    if (isPacked(bytes)) bytes = await unpacked(bytes);
  } catch (error) {
    if (getCode(error) === "EISDIR") return { ...fileError(name, "is a folder"), isFolder: true };
    return fileError(name, readFailure(error));
  }
  if (bytes.length > MAX_BYTES) return fileError(name, tooLarge);
  if (bytes.length >= LARGE && isUtf8(bytes)) return largeSource(name, bytes);
  try {
    // A byte order mark is dropped, as kubectl does.
    return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { ...fileError(name, "not UTF-8 text"), position: firstInvalidByte(bytes) };
  }
}

function largeSource(name: string, bytes: Uint8Array): Source {
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

/** @example megabytes(2_000_000) // => "2 MB" */
export function megabytes(length: number): string {
  return `${Math.floor(length / 1e6)} MB`;
}

/** As kubectl does: files and folders by name, and of the files only those whose names end as these do. */
async function* textsIn(folder: string, files: Files, reading: Reading): Texts {
  let entries: readonly FolderEntry[];
  try {
    entries = await files.readFolder(folder);
  } catch (error) {
    yield fileError(folder, readFailure(error));
    return;
  }
  for (const { name, kind } of entries.toSorted((a, b) => compareBytes(a.name, b.name))) {
    // In a mounted ConfigMap these are the kubelet's; the files beside them link into them.
    if (name.startsWith("..")) continue;
    const path = `${folder.replace(/\/+$/, "")}/${name}`;
    if (kind === "Folder") {
      if (reading.recursive) yield* textsIn(path, files, reading);
    } else if (kind === "LinkedFolder") {
      // Followed, they could lead in circles, and to the same file twice.
      if (reading.recursive)
        yield fileError(path, "links to a folder; -R follows no links, so name it with -f");
    } else if (/\.(?:json|yaml|yml)$/.test(name)) {
      if (kind === "File") {
        yield await readSource(path, (took) => files.readFile(path, took), files);
      } else
        yield fileError(path, kind === "BrokenLink" ? "links to no file" : "is not a regular file");
    }
  }
}

function fileError(file: string, message: string): Diagnostic {
  return { severity: "error", file, message };
}

const tooLarge = `larger than ${MAX_BYTES.toLocaleString("en")} bytes, the most that is read of a file`;

function getCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function readFailure(error: unknown): string {
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
    case CUT_OFF:
      return "packed by gzip, and cut off";
    case NOT_GZIP:
      return "begins as if packed by gzip, and cannot be unpacked";
    default:
      return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Returns the line and the column of the first byte that is not UTF-8. */
function firstInvalidByte(bytes: Uint8Array): { line: number; column: number } {
  // Decoding replaces what is invalid; encoded again, the text differs there for the first time.
  const replaced = Buffer.from(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  let at = 0;
  while (replaced[at] === bytes[at]) at++;
  const before = bytes.subarray(0, at);
  const line = before.reduce((count, byte) => (byte === 0x0a ? count + 1 : count), 1);
  return { line, column: at - before.lastIndexOf(0x0a) };
}
