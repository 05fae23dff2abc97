/** The code of one `@example` in a docstring. */
export interface DocstringExample {
  readonly code: string;
  /** The line of the tag, starting at 1. */
  readonly line: number;
}

/** The examples in the docstrings of a source text: all lines from the tag to the next one, or to the end. */
export function docstringExamples(source: string): readonly DocstringExample[] {
  const examples: DocstringExample[] = [];
  for (const comment of source.matchAll(/\/\*\*(?<text>[\s\S]*?)\*\//g)) {
    const firstLine = source.slice(0, comment.index).split("\n").length;
    const lines = (comment.groups?.text ?? "")
      .split("\n")
      .map((line) => line.replace(/^\s*\* ?/, ""));
    let code: string[] | undefined;
    let at = 0;
    const end = () => {
      if (code !== undefined) examples.push({ code: code.join("\n").trim(), line: firstLine + at });
      code = undefined;
    };
    for (const [index, line] of lines.entries()) {
      const tag = /^@(?<name>\w+) ?(?<rest>.*)$/.exec(line.trimStart())?.groups;
      if (tag !== undefined) {
        end();
        if (tag.name === "example") {
          code = [tag.rest ?? ""];
          at = index;
        }
      } else {
        code?.push(line);
      }
    }
    end();
  }
  return examples;
}
