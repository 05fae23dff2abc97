import { library } from "../../tsup.library.ts";

export default library([
  "src/index.ts",
  "src/all.ts",
  "src/census.ts",
  "src/control-plane.ts",
  "src/kueue.ts",
  "src/owners.ts",
  "src/pods.ts",
]);
