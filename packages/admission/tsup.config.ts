import { library } from "../../tsup.library.ts";

export default library([
  "src/index.ts",
  "src/checks.ts",
  "src/http.ts",
  "src/patch.ts",
  "src/preview.ts",
]);
