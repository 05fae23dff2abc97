import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completionScripts } from "../commands/completion/scripts.ts";

const scripts = fileURLToPath(new URL("../../../../scripts/program.mjs", import.meta.url));
const { bundleProgram } = await import(/* @vite-ignore */ scripts);
/** Returns the file of the program, as a bin of the package names it. */
const program = (): Promise<string> => bundleProgram("cli");
/** The shells that are installed here. */
const shells = (["bash", "zsh", "fish"] as const).filter(
  (shell) => spawnSync(shell, ["--version"]).status === 0,
);

/**
 * The keys for a zsh on a terminal: Ctrl-X a inserts all completions of the last word, and Ctrl-X s prints the rest of
 * the line.
 */
const interactiveZsh = `
autoload -U compinit && compinit -u -D
source <(jobset completion zsh)
zle -C all-matches complete-word _generic
zstyle ':completion:all-matches:*' completer _all_matches _complete
zstyle ':completion:all-matches:*' insert yes
before-matches() { written=$BUFFER }
show-matches() {
  if [[ $BUFFER == "$written" ]]; then print -u 3; else print -r -u 3 -- "\${BUFFER#\${written% *} }"; fi
  BUFFER=
}
zle -N before-matches
zle -N show-matches
bindkey '^Xb' before-matches '^Xa' all-matches '^Xs' show-matches
`;

/** Types lines on the terminal of a zsh, and completes each. */
const runOnZshTerminal = `
zmodload zsh/zpty
exec 3>&1
zpty inner zsh -f -i
zpty -w inner 'source ./interactive.zsh'
for line in "$@"; do zpty -n -w inner "$line"$'\\Cxb\\Cxa\\Cxs'; done
zpty -w inner exit
while zpty -r inner shown; do :; done
`;

describe("completion scripts", () => {
  const folder = mkdtempSync(join(tmpdir(), "jobset-completion-"));
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };

  beforeAll(async () => {
    const start = `#!/bin/sh\nexec '${process.execPath}' '${await program()}' "$@"\n`;
    for (const name of ["jobset", "kubectl-jobset"])
      writeFileSync(join(folder, name), start, { mode: 0o755 });
    writeFileSync(join(folder, "kubectl_complete-jobset"), completionScripts.kubectl, {
      mode: 0o755,
    });
    writeFileSync(join(folder, "interactive.zsh"), interactiveZsh);
  });

  const run = (shell: string, args: readonly string[]) =>
    spawnSync(shell, args, { encoding: "utf8", env, cwd: folder });
  /** Completes lines in a shell, and prints the completions of the last word of each line. */
  const shownBy: Readonly<
    Record<(typeof shells)[number], (lines: readonly string[]) => ReturnType<typeof run>>
  > = {
    bash: (lines) => {
      // Calls the function as readline does.
      const calls = lines.map(
        (line) => `COMP_LINE='${line}' COMP_POINT=${line.length}; _jobset; echo "\${COMPREPLY[*]}"`,
      );
      const registered = "complete -p jobset >/dev/null";
      const script = ["source <(jobset completion bash)", "compopt() { :; }", registered, ...calls];
      return run("bash", ["--norc", "-c", script.join("\n")]);
    },
    zsh: (lines) => run("zsh", ["-f", "-c", runOnZshTerminal, "zsh", ...lines]),
    fish: (lines) => {
      const calls = lines.map(
        (line) => `echo (complete -C '${line}' | string replace -r '\\t.*' '')`,
      );
      const script = ["jobset completion fish | source", ...calls];
      return run("fish", ["--no-config", "-c", script.join("\n")]);
    },
  };

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(shells)("the syntax of the completion script is valid for %s", (shell) => {
    const file = join(folder, `completion.${shell}`);
    writeFileSync(file, completionScripts[shell]);
    const { status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it.each(shells)("the completion script completes words in %s", (shell) => {
    // bash starts a new word after = and completes files itself if it gets no words.
    const isBash = shell === "bash";
    const gates = ["true,ElasticJobSet=false", "true,ElasticJobSet=true"];
    const expected = {
      "jobset re": ["render", "replay"],
      "jobset render -o ": ["json", "jsonpath=", "name", "table", "wide", "yaml"],
      "jobset render -o jsonp": ["jsonpath="],
      "jobset render --output=w": [isBash ? "wide" : "--output=wide"],
      "jobset plan --feature-gates RestartJob=true,Elastic": isBash
        ? gates
        : gates.map((gate) => `RestartJob=${gate}`),
      "jobset render -f trai": isBash ? [] : ["train.yaml"],
      "jobset top som": [],
    };
    writeFileSync(join(folder, "train.yaml"), "");
    const { stdout, stderr } = shownBy[shell](Object.keys(expected));
    expect(stderr).toBe("");
    const shown = stdout.split("\n").slice(0, -1);
    const words = shown.map((line) => line.split(" ").filter((word) => word !== ""));
    expect(words.map((all) => all.sort())).toEqual(Object.values(expected));
  });

  it("the program completes the words of kubectl_complete-jobset if the bin has this name", async () => {
    const link = join(folder, "bin", "kubectl_complete-jobset");
    mkdirSync(dirname(link));
    symlinkSync(await program(), link);
    const args = [link, "top", "-o", "wi"];
    const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(stdout).toBe("wide\n:4\n");
  });

  it("the program completes words if a launcher hides its name and kubectl requests completions", async () => {
    const call = `'${process.execPath}' '${await program()}' top -o wi\n`;
    writeFileSync(join(folder, "__complete"), `${call}exit $?\n`);
    writeFileSync(join(folder, "explain"), `${call}exit $?\n`);
    // A shell that the system shows as `kubectl __complete jobset`, because its script has this name.
    const runIn = (script: string) =>
      spawnSync("sh", [script, "jobset"], { argv0: "kubectl", encoding: "utf8", cwd: folder });
    expect(runIn("__complete").stdout).toBe("wide\n:4\n");
    expect(runIn("explain")).toMatchObject({ status: 2, stdout: "" });
  });

  it("the completion script of kubectl passes the words and the directive on", () => {
    const file = join(folder, "kubectl_complete-jobset");
    const { stdout } = spawnSync(file, ["top", "-o", "wi"], { encoding: "utf8", env });
    expect(stdout).toBe("wide\n:4\n");
  });
});
