import { spawn } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

/** The exit code and the output of a program. */
export interface KubectlResult {
  readonly exitCode: number | null;
  readonly out: string;
  readonly error: string;
}

/** The options of a kubectl call. */
export interface KubectlCall {
  /** The user's kubeconfig. The default is the administrator's. */
  readonly kubeconfig?: string;
  readonly input?: string;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Calls kubectl as a user does. */
export type Kubectl = (args: readonly string[], call?: KubectlCall) => Promise<KubectlResult>;

/**
 * Returns the kubectl of the control plane's binary, with `kubectl jobset` from the sources of the command.
 *
 * @param folder - the folder for the programs, which is put on the PATH
 * @param root - the workspace
 */
export async function kubectlWithPlugin(
  binary: string,
  folder: string,
  root: string,
): Promise<(args: readonly string[], call: Required<KubectlCall>) => Promise<KubectlResult>> {
  const bin = join(folder, "bin");
  if (!existsSync(bin)) {
    // The bundler is a workspace script and not part of this program's own bundle.
    const { bundleProgram } = (await import(
      pathToFileURL(join(root, "scripts", "program.mjs")).href
    )) as { bundleProgram(name: string): Promise<string> };
    const program = await bundleProgram("cli");
    mkdirSync(bin);
    symlinkSync(binary, join(bin, "kubectl"));
    const script = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
    writeFileSync(join(bin, "kubectl-jobset"), script, { mode: 0o755 });
  }
  const path = `${bin}:${process.env.PATH}`;
  return async (args, { kubeconfig, input, env }) => {
    const child = spawn(join(bin, "kubectl"), args, {
      cwd: folder,
      // kubectl caches data of an API server by its address, which another server may have used before.
      env: { ...process.env, ...env, PATH: path, KUBECONFIG: kubeconfig, HOME: folder },
    });
    child.stdin.on("error", () => {}); // Some commands do not read standard input.
    child.stdin.end(input);
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { exitCode: await ended, out, error };
  };
}
