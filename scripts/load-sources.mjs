// Lets Node load the workspace's sources as it loads any module: `node --import ./scripts/load-sources.mjs`.
import { register } from "node:module";

register("./source-hooks.mjs", import.meta.url);
