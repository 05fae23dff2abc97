import { library } from "../../tsup.library.ts";

export default library([
  "src/index.ts",
  "src/admission.ts",
  "src/arbitraries.ts",
  "src/diagnose.ts",
  "src/histories.ts",
  "src/placement.ts",
  "src/reconcile.ts",
]);
