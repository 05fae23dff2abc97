import type { Diagnostic } from "../diagnostics.ts";
import { MAX_BYTES, TOO_LARGE } from "./read-within.ts";

/** The name with which the user asks for standard input. */
const STDIN = "-";

/** Where files come from. */
export interface Files {
  readonly readFile: (path: string) => Promise<Uint8Array>;
  readonly readStdin: () => Promise<Uint8Array>;
}

/**
 * Files of which standard input can be read only once: whoever names it a second time would otherwise be given nothing,
 * and take that for all there is.
 */
export function stdinOnce<Some extends Files>(files: Some): Some {
  let isRead = false;
  const readStdin = async () => {
    if (isRead) throw Object.assign(new Error("read before"), { code: STDIN_IS_READ });
    isRead = true;
    return files.readStdin();
  };
  return { ...files, readStdin };
}

const STDIN_IS_READ = "STDIN_IS_READ";

/** The world of a command that looks at a cluster: files, and what time it is. */
export interface FilesAndClock extends Files {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The text of one file. */
export interface Source {
  /** As diagnostics call it. */
  readonly name: string;
  readonly text: string;
}

/** The texts of the files that could be read, in the order given, and what is wrong with the others. */
export async function readSources(
  paths: readonly string[],
  files: Files,
): Promise<{ readonly sources: readonly Source[]; readonly diagnostics: readonly Diagnostic[] }> {
  const sources: Source[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const path of paths) {
    const name = path === STDIN ? "<stdin>" : path;
    const read = await readText(path, name, files);
    if ("message" in read) diagnostics.push(read);
    else sources.push(read);
  }
  return { sources, diagnostics };
}

async function readText(path: string, name: string, files: Files): Promise<Source | Diagnostic> {
  let bytes: Uint8Array;
  try {
    bytes = await (path === STDIN ? files.readStdin() : files.readFile(path));
  } catch (error) {
    return fileError(name, readFailure(error));
  }
  if (bytes.length > MAX_BYTES) return fileError(name, tooLarge);
  try {
    // A byte order mark is dropped, as kubectl does.
    return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { ...fileError(name, "not UTF-8 text"), position: firstInvalidByte(bytes) };
  }
}

function fileError(file: string, message: string): Diagnostic {
  return { severity: "error", file, message };
}

const tooLarge = `larger than ${MAX_BYTES.toLocaleString("en")} bytes, the most that is read of a file`;

function readFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return "no such file";
    case "EISDIR":
      return "is a directory; name the files in it";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case STDIN_IS_READ:
      return "standard input can be read only once";
    case TOO_LARGE:
      return tooLarge;
    default:
      return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Line and byte of the first byte that is no UTF-8. */
function firstInvalidByte(bytes: Uint8Array): { line: number; column: number } {
  // Decoding replaces what is invalid; encoded again, the text differs there for the first time.
  const replaced = Buffer.from(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  let at = 0;
  while (replaced[at] === bytes[at]) at++;
  const before = bytes.subarray(0, at);
  const line = before.reduce((count, byte) => (byte === 0x0a ? count + 1 : count), 1);
  return { line, column: at - before.lastIndexOf(0x0a) };
}
