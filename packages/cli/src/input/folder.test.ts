import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aJobSetFile, runCommand } from "../testing.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "jobset-folder-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const createName = (name: string) => aJobSetFile().replace("name: train", `name: ${name}`);

/** Returns the JobSets that a command finds in files and folders, in its order. */
async function listFound(...args: readonly string[]) {
  const { exitCode, out, error } = await runCommand(["admit", ...args], { isReal: true });
  const names = [...out.matchAll(/^JobSet\/default\/(\S+)/gm)].map(([, name]) => name);
  return { exitCode, names, error: error.replaceAll(root, "") };
}

describe("folders", () => {
  beforeEach(() => {
    write("b.yaml", createName("b"));
    write("a.yml", createName("a"));
    write("c.json", JSON.stringify({ apiVersion: "v1", kind: "List", items: [] }));
    write("notes.txt", "not: [read");
    write("B.YAML", "not: [read");
    write("a/z.yaml", createName("a-z"));
    write("a.d/y.yaml", createName("a-d-y"));
    write("a/deep/x.yaml", createName("a-deep-x"));
  });

  it("a folder contains its JSON and YAML files, by name", async () => {
    expect(await listFound("-f", root)).toEqual({ exitCode: 0, names: ["a", "b"], error: "" });
    expect((await listFound("-f", `${root}/`, "-f", join(root, "a"))).names).toEqual([
      "a",
      "b",
      "a-z",
    ]);
  });

  it("a folder contains the files of its subfolders with -R", async () => {
    const names = ["a-deep-x", "a-z", "a-d-y", "a", "b"];
    expect(await listFound("-R", "-f", root)).toEqual({ exitCode: 0, names, error: "" });
  });

  it("a folder of a mounted ConfigMap contains each file once, also with -R", async () => {
    const mounted = join(root, "mounted");
    write("mounted/..2026_11_22/m.yaml", createName("m"));
    symlinkSync("..2026_11_22", join(mounted, "..data"));
    symlinkSync(join("..data", "m.yaml"), join(mounted, "m.yaml"));
    for (const flags of [[], ["-R"]]) {
      expect(await listFound(...flags, "-f", mounted)).toEqual({
        exitCode: 0,
        names: ["m"],
        error: "",
      });
    }
  });

  it("a folder is valid for every option that accepts files", async () => {
    const folder = join(root, "a.d");
    for (const args of [
      ["render", "-f", folder],
      ["names", "-f", folder],
      ["plan", "-f", folder],
      ["status", "-f", folder],
      ["admit", "-f", folder, "--old", folder, "--cluster", folder],
      ["diff", folder, folder, "--cluster", folder],
    ]) {
      for (const flags of [[], ["-R"]]) {
        const { error, exitCode } = await runCommand([...args, ...flags], { isReal: true });
        expect({ args, exitCode, error }).toEqual({ args, exitCode: 0, error: "" });
      }
    }
  });

  it("an error in a folder names the file", async () => {
    write("a/bad.yaml", "spec: [");
    expect(await listFound("-R", "-f", root)).toMatchObject({
      exitCode: 2,
      error: expect.stringMatching(/^\/a\/bad\.yaml:1:8: /),
    });
  });

  it("a folder or file can be a symbolic link", async () => {
    symlinkSync(join(root, "a"), join(root, "link"));
    symlinkSync(join(root, "a", "z.yaml"), join(root, "a.d", "z.yaml"));
    expect((await listFound("-f", join(root, "link"))).names).toEqual(["a-z"]);
    expect((await listFound("-f", join(root, "a.d"))).names).toEqual(["a-d-y", "a-z"]);
    expect((await listFound("-f", root)).exitCode).toBe(0);
  });
});

describe("invalid folders", () => {
  it("a folder without a file to read is rejected", async () => {
    write("other/notes.txt", "");
    write("below/deep/x.yaml", createName("x"));
    mkdirSync(join(root, "empty"));
    const message = "is a folder without a .json, .yaml or .yml file";
    for (const name of ["other", "below", "empty"]) {
      expect(await listFound("-f", join(root, name))).toEqual({
        exitCode: 2,
        names: [],
        error: `/${name}: ${message}; -R includes its subfolders\n`,
      });
    }
    expect((await listFound("-R", "-f", join(root, "empty"))).error).toBe(`/empty: ${message}\n`);
    expect((await listFound("-R", "-f", join(root, "below"))).exitCode).toBe(0);
  });

  it("links without a target and special files are rejected", async () => {
    write("good.yaml", createName("good"));
    symlinkSync(join(root, "nothing"), join(root, "broken.yaml"));
    symlinkSync("self.yaml", join(root, "self.yaml"));
    symlinkSync(join(root, "nothing"), join(root, "broken.txt"));
    expect(spawnSync("mkfifo", [join(root, "pipe.yaml")]).status).toBe(0);
    expect(await listFound("-f", root)).toEqual({
      exitCode: 2,
      names: [],
      error:
        "/broken.yaml: is a link without a target\n/pipe.yaml: is not a regular file\n/self.yaml: is a link without a target\n",
    });
    expect((await listFound("-f", join(root, "self.yaml"))).error).toBe(
      "/self.yaml: links to itself\n",
    );
  });

  it("a cycle of folders is rejected", async () => {
    write("a/x.yaml", createName("x"));
    symlinkSync("..", join(root, "a", "back"));
    expect(await listFound("-R", "-f", root)).toEqual({
      exitCode: 2,
      names: [],
      error:
        "/a/back: is a link to a folder, and -R does not follow links; use -f with this folder\n",
    });
    expect((await listFound("-f", join(root, "a"))).exitCode).toBe(0);
  });
});
