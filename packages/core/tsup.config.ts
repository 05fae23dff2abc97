import { library } from "../../tsup.library.ts";

export default library(
  [
    "src/index.ts",
    "src/agent.ts",
    "src/child-jobs.ts",
    "src/desired.ts",
    "src/persistent-map.ts",
    "src/placement.ts",
    "src/policies.ts",
    "src/requests.ts",
    "src/status.ts",
  ],
  ["@noble/hashes"],
);
