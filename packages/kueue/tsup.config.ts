import { library } from "../../tsup.library.ts";

export default library(
  [
    "src/index.ts",
    "src/admission.ts",
    "src/keys.ts",
    "src/multikueue.ts",
    "src/validation.ts",
    "src/workload.ts",
  ],
  ["@noble/hashes"],
);
