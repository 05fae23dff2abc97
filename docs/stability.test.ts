// Checks that images use a version of Node that docs/stability.md allows for them.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Files that may contain the name of an image. */
const candidates = /^(Dockerfile|Containerfile)|\.(md|mjs|ts|ya?ml)$/;

interface Image {
  readonly file: string;
  readonly major: number;
}

/** The major versions of Node that images use, according to the last column of the table. */
function majorsForImages(page: string): readonly number[] {
  const rows = [...page.matchAll(/^\| (\d+) \|.*\| (yes|no) \|$/gm)];
  return rows.flatMap(([, major, images]) => (images === "yes" ? [Number(major)] : []));
}

function imagesIn(text: string, file: string): readonly Image[] {
  const named = text.matchAll(/(?<![\w:])node:(\d+)/g);
  return Array.from(named, ([, major]) => ({ file, major: Number(major) }));
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return /^(node_modules|dist|\.git)$/.test(entry.name) ? [] : filesBelow(path);
    }
    return candidates.test(entry.name) ? [path] : [];
  });
}

it("every Node image has a version that docs/stability.md allows for images", () => {
  const allowed = majorsForImages(readFileSync(join(root, "docs", "stability.md"), "utf8"));
  const images = filesBelow(root).flatMap((file) =>
    imagesIn(readFileSync(file, "utf8"), relative(root, file)),
  );
  const files = new Set(images.map(({ file }) => file));
  expect(allowed).not.toEqual([]);
  expect([...files]).toEqual(
    expect.arrayContaining([
      join("examples", "admission-proxy", "manifests", "deployment.yaml"),
      join("examples", "controller", "Dockerfile"),
      join("examples", "exploration", "Dockerfile"),
    ]),
  );
  expect(images.filter(({ major }) => !allowed.includes(major))).toEqual([]);
});
