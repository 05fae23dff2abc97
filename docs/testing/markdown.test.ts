import { describe, expect, it } from "vitest";
import { fencedBlocks, inlineCommands } from "./markdown.ts";

describe("fencedBlocks", () => {
  it("fencedBlocks reads the comment above a block", () => {
    const text = "<!-- file: a.mjs -->\n\n```js\n1;\n```\n\n<!-- not run: why -->\n```text\nx\n```";
    expect(fencedBlocks(text)).toEqual([
      { language: "js", code: "1;", line: 3, mark: { kind: "file", text: "a.mjs" } },
      { language: "text", code: "x", line: 8, mark: { kind: "not run", text: "why" } },
    ]);
  });

  it.each([
    "- a list\n\n  ```ts\n  1;\n  ```",
    "~~~ts\n1;\n~~~",
    "```ts title=a\n1;\n```",
    "text\n\n    npm start",
  ])("fencedBlocks rejects code outside of a fence: %j", (text) => {
    expect(() => fencedBlocks(text)).toThrow(/plain fences/);
  });
});

it("inlineCommands finds the commands in the text that use our packages and can run unchanged", () => {
  const text =
    "`npx --yes @jobset-ts/cli -V`, `npm install @jobset-ts/core`, `npx @jobset-ts/cli render -f FILE`, `npx vitest`\n" +
    "```sh\nnpx @jobset-ts/cli\n```\n";
  expect(inlineCommands(text)).toEqual([
    "npx --yes @jobset-ts/cli -V",
    "npm install @jobset-ts/core",
  ]);
});
