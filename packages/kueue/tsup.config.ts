import { library } from "../../tsup.library.ts";

export default library(
  ["src/index.ts", "src/multikueue.ts", "src/webhooks.ts", "src/workload.ts"],
  ["@noble/hashes"],
);
