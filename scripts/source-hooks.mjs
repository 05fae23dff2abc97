// Module hooks for Node. They remove the types from the sources of the workspace and keep all line numbers, with the same library as
// Node 22.18. A YAML manifest is imported as text, as in the program bundles.
import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import swc from "@swc/wasm-typescript";
import { root } from "./root.mjs";

const workspace = `${pathToFileURL(root)}/`;

/** Functions that convert the content of a file to JavaScript, by file extension. */
const readAs = {
  ts: (text) => swc.transformSync(text, { mode: "strip-only" }).code,
  json: withNamedMembers,
  yaml: (text) => `export default ${JSON.stringify(text)}`,
};

/** Exports each member by name, as bundlers do. */
function withNamedMembers(text) {
  const members = Object.keys(JSON.parse(text)).map((key, at) => {
    const name = JSON.stringify(key);
    return `const member${at} = all[${name}]; export { member${at} as ${name} };`;
  });
  return `const all = ${text};\nexport default all;\n${members.join("\n")}`;
}

export async function load(url, context, nextLoad) {
  const read = readAs[/[^.]*$/.exec(url)[0]];
  const isOwn = url.startsWith(workspace) && !url.includes("/node_modules/");
  if (read === undefined || !isOwn) return nextLoad(url, context);
  const source = read(await readFile(fileURLToPath(url), "utf8"));
  return { format: "module", source, shortCircuit: true };
}
