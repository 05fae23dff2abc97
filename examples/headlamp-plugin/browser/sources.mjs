// Loaded before Headlamp's build. It resolves this repository's packages to their TypeScript sources, so that they need
// no build. With the packages from npm, `headlamp-plugin build` is enough.
import config from "../node_modules/@kinvolk/headlamp-plugin/config/vite.config.mjs";

/** Our export condition, before the defaults of Vite. */
config.resolve.conditions = ["@jobset-ts/source", "module", "browser", "development|production"];
