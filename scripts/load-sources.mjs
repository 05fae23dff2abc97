// Lets Node load the TypeScript sources of the workspace: `node --import ./scripts/load-sources.mjs`.
import { register } from "node:module";

register("./source-hooks.mjs", import.meta.url);
