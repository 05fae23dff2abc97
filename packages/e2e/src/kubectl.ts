import { spawn } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

/** How a program ended, and what it said. */
export interface Ran {
  readonly exitCode: number | null;
  readonly out: string;
  readonly error: string;
}

/** How kubectl is called. */
export interface KubectlCall {
  /** Whose; the administrator's without. */
  readonly kubeconfig?: string;
  readonly input?: string;
}

/** Calls kubectl, as its users do. */
export type Kubectl = (args: readonly string[], call?: KubectlCall) => Promise<Ran>;

/**
 * The kubectl in the control plane's binary, with `kubectl jobset` from the sources of the command.
 *
 * @param folder - for the programs, which are put on the path
 * @param root - the workspace
 */
export async function kubectlWithPlugin(
  binary: string,
  folder: string,
  root: string,
): Promise<(args: readonly string[], call: Required<KubectlCall>) => Promise<Ran>> {
  const bin = join(folder, "bin");
  if (!existsSync(bin)) {
    // The bundler is a script of the workspace, and no part of this program's own bundle.
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
  return async (args, { kubeconfig, input }) => {
    const child = spawn(join(bin, "kubectl"), args, {
      cwd: folder,
      // What kubectl has learned of one API server is kept by its address, which another one may have had.
      env: { ...process.env, PATH: path, KUBECONFIG: kubeconfig, HOME: folder },
    });
    child.stdin.on("error", () => {}); // not everyone reads it
    child.stdin.end(input);
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { exitCode: await ended, out, error };
  };
}
