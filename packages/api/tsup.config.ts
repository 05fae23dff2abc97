import { library } from "../../tsup.library.ts";

export default library(["src/index.ts", "src/crd.ts", "src/schema.ts"]);
