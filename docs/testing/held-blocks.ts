import { expect } from "vitest";

/**
 * Compares plain blocks of a Markdown page with the output of a program. A block follows a line `<!-- held: NAME
 * -->`. `npx vitest run FILE --update` updates the page.
 */
export async function expectBlocks(
  file: string,
  page: string,
  blocks: Readonly<Record<string, string>>,
): Promise<void> {
  let text = page;
  for (const [name, lines] of Object.entries(blocks)) {
    const mark = `<!-- held: ${name} -->\n\n\`\`\`text\n`;
    const start = text.indexOf(mark) + mark.length;
    expect(text, `${file} has the block ${name}`).toContain(mark);
    text = text.slice(0, start) + lines + text.slice(text.indexOf("\n```", start - 1));
  }
  await expect(text).toMatchFileSnapshot(file);
}
