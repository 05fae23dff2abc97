// Writes the sample of recorded decisions of releases: `node scripts/release-sample.mjs VECTORS`. VECTORS is a folder with the decisions of
// main and a folder `releases`, as packages/conformance/vectors/README.md describes it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { root } from "./root.mjs";

/**
 * The number of cases of a family that differ from main in a release, or all cases if there are
 * fewer. The sample has at least this number of cases.
 */
const CASES = 200;

const [vectors = ""] = process.argv.slice(2);
const target = join(root, "packages", "conformance", "vectors", "releases");
const releases = readdirSync(join(vectors, "releases"))
  .filter((name) => /^v\d/.test(name))
  .sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
const files = releases.flatMap((name) => readdirSync(join(vectors, "releases", name)));

mkdirSync(target, { recursive: true });
// No deletion is recorded separately, because all releases admit it.
for (const file of new Set([...files, "jobset.validateDelete.jsonl.gz"])) {
  if (!file.endsWith(".jsonl.gz")) continue;
  const text = sample(file).map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(join(target, file), gzipSync(text.join(""), { level: 9 }));
}

/** Returns the lines of a family. Releases with the same output share a line. */
function sample(file) {
  const outputs = releases.map((name) => readOutputs(join(vectors, "releases", name, file)));
  const ids = readLines(join(vectors, file)).map(({ id }) => id);
  return chooseIds(ids, outputs).flatMap((id) => {
    const lines = new Map();
    for (const [index, name] of releases.entries()) {
      const { output, tags } = outputs[index].get(id) ?? {};
      const key = JSON.stringify([output, tags]);
      if (lines.has(key)) lines.get(key).releases.push(name);
      else lines.set(key, { id, releases: [name], output, tags });
    }
    return [...lines.values()];
  });
}

function chooseIds(ids, outputs) {
  const left = outputs.map(() => CASES);
  const chosen = new Set();
  for (const id of ids) {
    const differing = [...outputs.keys()].filter((index) => counts(outputs[index].get(id)));
    if (differing.every((index) => left[index] <= 0)) continue;
    chosen.add(id);
    for (const index of differing) left[index] -= 1;
  }
  for (const id of ids) if (chosen.size < CASES) chosen.add(id);
  return ids.filter((id) => chosen.has(id));
}

/** Cases in which the release panics are set aside, so they do not count. */
function counts(output) {
  return output !== undefined && !(output.tags ?? []).includes("crash");
}

function readOutputs(file) {
  return new Map(existsSync(file) ? readLines(file).map((line) => [line.id, line]) : []);
}

function readLines(file) {
  const lines = gunzipSync(readFileSync(file)).toString("utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}
