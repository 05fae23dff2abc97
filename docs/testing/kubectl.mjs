// A fake kubectl for the documentation tests: lists the objects of a recorded cluster and calls the plugin.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseAllDocuments } from "yaml";

const cluster = join(import.meta.dirname, "..", "..", "examples", "restart", "cluster.yaml");
const [verb, first = "", ...rest] = process.argv.slice(2);

if (verb === "jobset") {
  const plugin = spawnSync("kubectl-jobset", [first, ...rest], { stdio: "inherit" });
  process.exitCode = plugin.status ?? 1;
} else if (verb === "get" && rest.join(" ").includes("-o json")) {
  const names = first.split(",").map((name) => name.split(".")[0]);
  const items = parseAllDocuments(readFileSync(cluster, "utf8"))
    .map((document) => document.toJS())
    .flatMap((value) => value.items ?? [value])
    .filter(({ kind }) => names.some((name) => ["pvc", `${kind.toLowerCase()}s`].includes(name)))
    .filter(({ kind }) => kind !== "PersistentVolumeClaim" || names.includes("pvc"));
  process.stdout.write(JSON.stringify({ apiVersion: "v1", kind: "List", items }));
} else if (verb === "config" && first === "view") {
  process.stdout.write("ml"); // The namespace of the context.
} else {
  process.stderr.write(
    `the stand-in for kubectl does not know ${process.argv.slice(2).join(" ")}\n`,
  );
  process.exitCode = 1;
}
