import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type * as Admission from "@jobset-ts/admission";
import type * as Core from "@jobset-ts/core";
import type * as Placement from "@jobset-ts/core/placement";
import { build, type Plugin } from "esbuild";

/** A text in a source that stands there once, and what it becomes. */
export interface Replacement {
  /** Below `packages`, as in `core/src/reconcile/reconcile.ts`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** What is called of a second copy, by the name of the library. */
export interface Copies {
  readonly core: Pick<typeof Core, "reconcile" | "snapshotOf"> &
    Pick<typeof Placement, "reconcilePlacement">;
  readonly admission: Pick<typeof Admission, "review"> & Pick<typeof Core, "snapshotOf">;
}

const entries: Readonly<Record<keyof Copies, string>> = {
  core: `
    export { reconcile, snapshotOf } from "@jobset-ts/core";
    export { reconcilePlacement } from "@jobset-ts/core/placement";`,
  admission: `
    export { review } from "@jobset-ts/admission";
    export { snapshotOf } from "@jobset-ts/core";`,
};

/**
 * A second copy of a library, and of what it imports, in which texts of its sources are others. Nothing on disk changes,
 * and the first copy, that of the laws, stays as it is.
 *
 * @param root - the folder of the workspace
 * @param row - whose replacements these are, for the message when one does not fit
 */
export async function mutatedCopy<Library extends keyof Copies>(
  root: string,
  library: Library,
  row: string,
  replacements: readonly Replacement[],
): Promise<Copies[Library]> {
  const packages = join(root, "packages");
  const { outputFiles } = await build({
    stdin: { contents: entries[library], resolveDir: join(packages, "mutants") },
    absWorkingDir: resolve(root),
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@jobset-ts/source"],
    mainFields: ["module", "main"],
    logLevel: "silent",
    plugins: [replacing(packages, row, replacements)],
  });
  const [{ text } = { text: "" }] = outputFiles;
  return await import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
}

/** A source with its replacements made; each text has to stand in it exactly once. */
export function replaced(
  source: string,
  row: string,
  replacements: readonly Replacement[],
): string {
  return replacements.reduce((text, { file, from, to }) => {
    const found = text.split(from).length - 1;
    if (found === 1) return text.replace(from, () => to);
    throw new Error(`${row}: in packages/${file} this stands ${found} times, not once:\n${from}`);
  }, source);
}

function replacing(packages: string, row: string, replacements: readonly Replacement[]): Plugin {
  return {
    name: "replacing",
    setup({ onLoad, onEnd }) {
      const left = new Set(replacements.map(({ file }) => resolve(packages, file)));
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!left.delete(path)) return undefined;
        const own = replacements.filter(({ file }) => resolve(packages, file) === path);
        return { contents: replaced(await readFile(path, "utf8"), row, own), loader: "ts" };
      });
      onEnd(() => {
        if (left.size > 0) throw new Error(`${row}: nothing imports ${[...left].join(", ")}`);
      });
    },
  };
}
