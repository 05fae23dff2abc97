// Loaded before Headlamp's build. It resolves this repository's packages to their TypeScript sources, so that they need
// no build. With the packages from npm, `headlamp-plugin build` is enough.
import config from "../node_modules/@kinvolk/headlamp-plugin/config/vite.config.mjs";

/** Adds the export condition of this repository to the defaults of Vite. */
config.resolve.conditions = ["@jobset-ts/source", "module", "browser", "development|production"];
