// Runs the command line without a process: files, terminal and environment are values.
import { readFile } from "node:fs/promises";
import { readFolder } from "./input/folder.ts";
import { type Io, run } from "./run.ts";

/** The output and exit code of a run. */
export interface RunResult {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

/** The environment of a run. A file is text, bytes, or the error code of a failed read. */
export interface TestEnvironment {
  readonly files?: Readonly<Record<string, string | Uint8Array | { readonly code: string }>>;
  readonly stdin?: string | Uint8Array;
  /** Milliseconds since 1970, or a clock that returns them. Default: 0. */
  readonly now?: number | (() => number);
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
  /** Called between two reads of a cluster. Returns `false` to end the command. */
  readonly sleep?: (millis: number) => Promise<boolean>;
  /** The command that the user types. Default: `jobset`. */
  readonly command?: string;
  /** The threads that `explore` uses instead of real ones. */
  readonly threads?: Io["threads"];
  /** Replaces the kubectl on the path. */
  readonly createKubectl?: Io["createKubectl"];
  /** Receives the content of written files, by path. */
  readonly written?: Map<string, string>;
  /** Whether to read real files instead of `files`. */
  readonly isReal?: boolean;
}

/** Runs the command in a test environment and returns its output. */
export async function runCommand(
  args: readonly string[],
  world: TestEnvironment = {},
): Promise<RunResult> {
  const written = { out: "", error: "" };
  const exitCode = await run(args, {
    readFile: (path) => (world.isReal ? readFile(path) : readWorldFile(world, path)),
    readFolder,
    writeFile: async (path, text) => void world.written?.set(path, text),
    now: () => (typeof world.now === "function" ? world.now() : (world.now ?? 0)),
    readStdin: async (onBytesRead) => {
      const { stdin = "" } = world;
      const bytes = typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin;
      onBytesRead?.(bytes.length);
      return bytes;
    },
    stdout: {
      ...createSink((text) => {
        written.out += text;
      }),
      isTTY: world.isTTY ?? false,
      ...(world.columns !== undefined && { columns: world.columns }),
    },
    stderr: {
      ...createSink((text) => {
        written.error += text;
      }),
      isTTY: world.isTTY ?? false,
    },
    env: world.env ?? {},
    ...(world.sleep !== undefined && { sleep: world.sleep }),
    ...(world.command !== undefined && { command: world.command }),
    ...(world.threads !== undefined && { threads: world.threads }),
    ...(world.createKubectl !== undefined && { createKubectl: world.createKubectl }),
  });
  return { exitCode, ...written };
}

/** Returns standard error without the note about the version of JobSet that the dump shows. */
export function withoutVersionNote(error: string): string {
  return error.replace(/^jobset: note: assuming JobSet .*\n/m, "");
}

function createSink(keep: (text: string) => void) {
  return {
    write(text: string, done: (error?: Error) => void) {
      keep(text);
      done();
    },
  };
}

async function readWorldFile({ files = {} }: TestEnvironment, path: string): Promise<Uint8Array> {
  const file = Object.hasOwn(files, path) ? files[path] : undefined;
  if (typeof file === "string") return new TextEncoder().encode(file);
  if (file instanceof Uint8Array) return file;
  throw Object.assign(new Error("fake"), { code: file?.code ?? "ENOENT" });
}

/** Returns the YAML of a small JobSet. The lines replace its `replicatedJobs`. */
export function aJobSetFile(spec = "replicatedJobs: []"): string {
  const indented = spec.replaceAll("\n", "\n  ");
  return `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata:
  name: train
spec:
  ${indented}
`;
}

/** Returns the YAML of a ReplicatedJob, as an element of `replicatedJobs`. */
export function aReplicatedJob(name: string, replicas: number | string = 1): string {
  return `- name: ${name}
  replicas: ${replicas}
  template:
    spec:
      parallelism: 2
      completions: 2
      template:
        spec:
          containers:
          - name: main
            image: example.com/${name}:1`;
}
