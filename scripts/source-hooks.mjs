// What Node asks about each module that it loads: of the workspace's own, types are taken away by what Node itself does that with
// from 22.18 on, and each line stays where it is. A manifest that is imported is its text, as in a program's bundle.
import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import swc from "@swc/wasm-typescript";
import { root } from "./root.mjs";

const workspace = `${pathToFileURL(root)}/`;

/** JavaScript out of what is in a file, by the end of its name. */
const readAs = {
  ts: (text) => swc.transformSync(text, { mode: "strip-only" }).code,
  json: withNamedMembers,
  yaml: (text) => `export default ${JSON.stringify(text)}`,
};

/** Each member can be imported by its name, as bundlers have it. */
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
