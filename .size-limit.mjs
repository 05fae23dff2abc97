// The size limits of bundles that import one name, or all names, from an entry: minified and compressed with gzip.
const sizes = [
  ["api/dist/index.js", "jobName", "2 kB"],
  ["api/dist/index.js", "parseIntegerLabel", "2 kB"],
  ["api/dist/index.js", "getSubdomain", "2 kB"],
  ["api/dist/index.js", "parseTime", "2 kB"],
  ["api/dist/kubernetes.js", "matchesLabelSelector", "2 kB"],
  ["api/dist/schema.js", "parseJobSet", "35 kB"], // Mostly zod.
  ["core/dist/status.js", "findTrueCondition", "2 kB"],
  ["core/dist/policies.js", "evaluateTtl", "2 kB"],
  ["core/dist/desired.js", "jobKey", "3 kB"],
  ["core/dist/agent.js", "agentStep", "2 kB"],
  ["core/dist/persistent-map.js", "emptyMap", "2 kB"],
  ["core/dist/policies.js", "evaluateFailurePolicy", "24 kB"], // Mostly the regular expressions of Go.
  ["core/dist/index.js", "reconcile", "45 kB"],
  ["admission/dist/index.js", "validateJobSet", "45 kB"],
  ["admission/dist/patch.js", "createJsonPatch", "2 kB"],
  ["admission/dist/checks.js", "evaluateChecks", "2 kB"],
  ["kueue/dist/index.js", "podSets", "7 kB"],
  ["diagnose/dist/census.js", "stepWait", "5 kB"],
  ["diagnose/dist/index.js", "diagnose", "25 kB"], // A quarter of it redacts messages.
  ["diagnose/dist/all.js", "*", "45 kB"],
  ["api/dist/index.js", "*", "14 kB"],
  ["crd/dist/index.js", "*", "25 kB"],
  ["crd/dist/job.js", "*", "35 kB"], // Half of it is the table of shapes.
  ["core/dist/index.js", "*", "60 kB"],
  ["admission/dist/index.js", "*", "85 kB"],
  ["releases/dist/index.js", "*", "25 kB"], // A third of it is the table of shapes.
  ["kueue/dist/index.js", "*", "28 kB"],
  ["diagnose/dist/index.js", "*", "90 kB"],
  ["sim/dist/index.js", "*", "220 kB"],
  ["testing/dist/index.js", "*", "65 kB"],
  ["controller-runtime/dist/index.js", "*", "22 kB"], // 4 kB of it redact error messages.
  ["controller-runtime/dist/node.js", "*", "3 kB"],
  ["cli/dist/main.js", "*", "460 kB"],
];

export default sizes.map(([file, name, limit]) => ({
  name: `${name} of ${file}`,
  path: `packages/${file}`,
  ...(name === "*" ? {} : { import: `{ ${name} }` }),
  // External modules do not count towards the size.
  ...(/^(cli|testing)|node/.test(file) ? { ignore: ["node:*", "fast-check"] } : {}),
  modifyEsbuildConfig: (config) => ({ ...config, format: "esm" }),
  gzip: true,
  limit,
}));
