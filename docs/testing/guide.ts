import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** What came of a command: its exit code, and what it printed on both streams. */
export interface Ran {
  readonly status: number | null;
  readonly output: string;
}

/** A folder in which somebody follows a guide, with nothing in it but what the guide says. */
export class GuideFolder {
  readonly #path = mkdtempSync(join(tmpdir(), "jobset-ts-guide-"));
  readonly #packed: string;
  readonly #pins: Readonly<Record<string, string>>;

  /**
   * @param packed - a folder with the packages as they would be published
   * @param pins - versions of other packages, by name
   */
  constructor(packed: string, pins: Readonly<Record<string, string>>) {
    this.#packed = packed;
    this.#pins = pins;
    this.save("package.json", "{}\n");
  }

  save(file: string, text: string): void {
    writeFileSync(join(this.#path, file), `${text}\n`);
  }

  /** Carries out `npm install …`, with packages of ours out of their tarballs. */
  install(command: string): Ran {
    const words = command.split(" ").slice(2);
    const named = words.filter((word) => word.startsWith("@jobset-ts/"));
    const tarballs = [...this.#withDependencies(named)].map((name) => this.#tarball(name));
    const others = words.filter((word) => !named.includes(word)).map((word) => this.#pinned(word));
    const args = ["install", "--no-audit", "--no-fund", ...others, ...tarballs].join(" ");
    return this.run(`npm ${args}`);
  }

  /** @throws Error where a command cannot be started */
  run(command: string): Ran {
    // Not what npm and the test runner that run this have put into the environment.
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(VITEST|NODE_|npm_|FORCE_COLOR)/.test(name),
    );
    const env = { ...Object.fromEntries(inherited), NO_COLOR: "1", CI: "1" };
    const options = { cwd: this.#path, encoding: "utf8", env, shell: true } as const;
    const { stdout, stderr, status, error } = spawnSync(command, options);
    if (error !== undefined) throw error;
    return { status, output: `${stdout}${stderr}`.replace(/\n$/, "") };
  }

  remove(): void {
    rmSync(this.#path, { recursive: true });
  }

  /** Packages of ours, and those of ours that they depend on: no registry has them. */
  #withDependencies(names: readonly string[]): ReadonlySet<string> {
    const all = new Set(names);
    for (const name of all) {
      const folder = join(import.meta.dirname, "..", "..", "packages", name.split("/")[1] ?? "");
      const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      for (const one of Object.keys(dependencies)) if (one.startsWith("@jobset-ts/")) all.add(one);
    }
    return all;
  }

  #tarball(name: string): string {
    const prefix = name.replace("@", "").replace("/", "-");
    const file = readdirSync(this.#packed).find(
      (one) => one.replace(/-\d[^-]*\.tgz$/, "") === prefix,
    );
    if (file === undefined) throw new Error(`${name} is not published`);
    return join(this.#packed, file);
  }

  #pinned(word: string): string {
    const version = this.#pins[word];
    return version === undefined ? word : `${word}@${version}`;
  }
}
