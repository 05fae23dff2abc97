// Tests that editors show the docstrings of `@jobset-ts/api` for each field. `npx vitest run
// packages/cli/src/commands/schema --update` writes the file again.
import { readdirSync, readFileSync } from "node:fs";
import { getShape, isShapeName } from "@jobset-ts/api/typed";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { descriptions } from "./descriptions.ts";

const sources = new URL("../../../../api/src/", import.meta.url);

/** Returns the docstrings of type members by `Type.member`. A member without a docstring gets that of its type. */
function readDocstrings(): ReadonlyMap<string, string> {
  const files = readdirSync(sources).filter((name) => /^[a-z-]+\.ts$/.test(name));
  const declarations = files.flatMap((name) => {
    const text = readFileSync(new URL(name, sources), "utf8");
    return [...ts.createSourceFile(name, text, ts.ScriptTarget.ES2023, true).statements];
  });
  const ofTypes = new Map(
    declarations
      .filter((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one))
      .map((one) => [one.name.text, formatSentence(one)] as const),
  );
  const found = new Map<string, string>();
  for (const declaration of declarations.filter(ts.isInterfaceDeclaration)) {
    const type = declaration.name.text;
    if (!isShapeName(type as never)) continue;
    for (const member of declaration.members.filter(ts.isPropertySignature)) {
      const name = member.name.getText();
      if (!getShape(type as never).byName.has(name)) continue;
      const own = formatSentence(member);
      const ofType = ofTypes.get(member.type?.getText().replace(/\[\]$/, "") ?? "");
      const text = own === "" ? ofType : own;
      if (text) found.set(`${type}.${name}`, text);
    }
  }
  return found;
}

/** Returns a docstring up to its first tag, on one line. */
function formatSentence(node: ts.Node): string {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(doc?.comment) ?? "";
  return text
    .replaceAll(/\{@link (\w+)\}/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Returns the source as the formatter writes it. */
function getSource(all: ReadonlyMap<string, string>): string {
  const lines = [...all].map(([key, text]) => {
    const [name, value] = [JSON.stringify(key), JSON.stringify(text)];
    const line = `  ${name}: ${value},`;
    return line.length <= 100 ? line : `  ${name}:\n    ${value},`;
  });
  return `/** What editors show of a field, by \`Type.member\`: the docstrings of \`@jobset-ts/api\`. A test writes it. */
export const descriptions: Readonly<Record<string, string>> = {
${lines.join("\n")}
};
`;
}

describe("descriptions of the JSON Schema", () => {
  it("the descriptions are the docstrings of the types", async () => {
    const path = new URL("descriptions.ts", import.meta.url).pathname;
    await expect(getSource(readDocstrings())).toMatchFileSnapshot(path);
  });

  it("every JobSet field has a description", () => {
    const own = ["JobSetSpec", "ReplicatedJob", "DependsOn", "Network", "SuccessPolicy"] as const;
    const others = ["FailurePolicy", "FailurePolicyRule", "StartupPolicy", "Coordinator"] as const;
    for (const type of [...own, ...others])
      for (const { name } of getShape(type).members) {
        // Descriptions of names and templates would only repeat the field name.
        if (name === "name" || name === "template") continue;
        expect(descriptions, `${type}.${name}`).toHaveProperty([`${type}.${name}`]);
      }
  });
});
