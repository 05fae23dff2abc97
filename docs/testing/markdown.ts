/** One fenced block of a Markdown file. */
export interface FencedBlock {
  /** What stands behind the fence: `ts`, `console`, `yaml`… */
  readonly language: string;
  readonly code: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
}

/** The fenced blocks of a Markdown text. */
export function fencedBlocks(text: string): readonly FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: { language: string; line: number; code: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^```(?<language>\w*)$/.exec(line)?.groups;
    if (open === undefined) {
      if (fence !== undefined) open = { language: fence.language ?? "", line: index + 1, code: [] };
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
