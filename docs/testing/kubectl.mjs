// A fake kubectl for the documentation tests: lists the objects of a recorded cluster and calls the plugin.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseAllDocuments } from "yaml";

const cluster = join(import.meta.dirname, "..", "..", "examples", "restart", "cluster.yaml");
const [verb, first = "", ...rest] = process.argv.slice(2);

/** Prints a list of the recorded objects of some resources, as in `pods`. */
function printList(resources, namespace) {
  const isListed = ({ kind, metadata }) =>
    resources.includes(`${kind.toLowerCase()}s`) &&
    (namespace === undefined || namespace === metadata.namespace);
  const items = parseAllDocuments(readFileSync(cluster, "utf8"))
    .map((document) => document.toJS())
    .flatMap((value) => value.items ?? [value])
    .filter(isListed);
  process.stdout.write(JSON.stringify({ apiVersion: "v1", kind: "List", items }));
}

if (verb === "jobset") {
  const plugin = spawnSync("kubectl-jobset", [first, ...rest], { stdio: "inherit" });
  process.exitCode = plugin.status ?? 1;
} else if (verb === "get" && first === "--raw") {
  const [, namespace, resource] = /v1\w*(?:\/namespaces\/(\w+))?\/(\w+)/.exec(rest[0]);
  printList([resource], namespace);
} else if (verb === "get" && rest.join(" ").includes("-o json")) {
  const names = first.split(",").map((name) => name.split(".")[0]);
  printList(names.map((name) => (name === "pvc" ? "persistentvolumeclaims" : name)));
} else if (verb === "api-resources") {
  process.stdout.write("pods   po   v1   true   Pod\n");
} else if (verb === "config" && first === "view") {
  process.stdout.write("ml"); // The namespace of the context.
} else {
  process.stderr.write(
    `the stand-in for kubectl does not know ${process.argv.slice(2).join(" ")}\n`,
  );
  process.exitCode = 1;
}
