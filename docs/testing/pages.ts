import { readdirSync } from "node:fs";
import { basename, join } from "node:path";

/** Files that tools write, install or build, which are not pages for readers. */
const others = /^(\..+|node_modules|dist|surface|reference|src)$/;

/** Every page for readers in a folder of the workspace and its subfolders, as paths from the root. */
export function allPages(root: string, folder = "."): readonly string[] {
  const below = foldersIn(root, folder).filter((one) => !others.test(basename(one)));
  return [...pagesIn(root, folder), ...below.flatMap((one) => allPages(root, one))];
}

/** The pages directly in a folder, without the changelog that a release writes there. */
export function pagesIn(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md") && (name !== "CHANGELOG.md" || folder === "."))
    .map((name) => join(folder, name));
}

export function foldersIn(root: string, parent: string): readonly string[] {
  return readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(parent, name));
}
