/** One fenced block of a Markdown file. */
export interface FencedBlock {
  /** The text after the fence: `ts`, `console`, `yaml`… */
  readonly language: string;
  readonly code: string;
  /** The line of the opening fence, starting at 1. */
  readonly line: number;
  /**
   * The comment right above the block: `<!-- held: NAME -->`, `<!-- file: NAME -->` or `<!-- not
   * run: REASON -->`.
   */
  readonly mark?: Mark;
}

export interface Mark {
  /**
   * `held`: a test writes the block. `file`: readers save it under that name. `not run`: the reason why
   * it is not run.
   */
  readonly kind: "held" | "file" | "not run";
  readonly text: string;
}

/**
 * The fenced blocks of a Markdown text.
 *
 * @throws Error for code outside a fence of three backticks at the start of a line: no test would check it
 */
export function fencedBlocks(text: string): readonly FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: { language: string; line: number; code: string[]; mark?: Mark } | undefined;
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const fence = /^```(?<language>\w*)$/.exec(line)?.groups;
    if (open === undefined) {
      if (fence !== undefined) {
        const mark = markIn(lines[index - 1] || lines[index - 2]);
        open = { language: fence.language ?? "", line: index + 1, code: [], mark };
      } else if (/^\s*(```|~~~)/.test(line) || isIndentedCode(line, lines[index - 1])) {
        throw new Error(
          `line ${index + 1}: code stands between plain fences, with a language and nothing else`,
        );
      }
    } else if (fence !== undefined) {
      blocks.push({ ...open, code: open.code.join("\n") });
      open = undefined;
    } else {
      open.code.push(line);
    }
  }
  if (open !== undefined) throw new Error(`the block opened in line ${open.line} is not closed`);
  return blocks;
}

/** The commands in the text of a page that fetch a package and have no placeholders, such as `npx --yes NAME -V`. */
export function inlineCommands(text: string): readonly string[] {
  const outside = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  const spans = [...outside.matchAll(/`((?:npx|npm install) [^`]+)`/g)].map(
    ([, code = ""]) => code,
  );
  return spans.filter((code) => code.includes("@jobset-ts/") && !/[A-Z]{2}|…/.test(code));
}

function markIn(line: string | undefined): Mark | undefined {
  const found = /^<!-- (?<kind>held|file|not run): (?<text>.+) -->$/.exec(line ?? "")?.groups;
  return found && { kind: found.kind as Mark["kind"], text: found.text ?? "" };
}

/** Four spaces after an empty line. In a list, that is a paragraph. */
function isIndentedCode(line: string, before: string | undefined): boolean {
  return before === "" && /^ {4}\S/.test(line);
}
