// Loaded before Headlamp's build: lets it take the packages of this repository from their TypeScript sources, which need no
// build of their own. With the packages from npm, `headlamp-plugin build` alone does.
import config from "../node_modules/@kinvolk/headlamp-plugin/config/vite.config.mjs";

/** Ours before those that are Vite's defaults. */
config.resolve.conditions = ["@jobset-ts/source", "module", "browser", "development|production"];
