// Follows all pages but the guides and those of packages. `npm run pack-check` packs the packages and runs this.
import { followPages, isGuide } from "./testing/follow.ts";

followPages((page, blocks) => !page.startsWith("packages") && !isGuide(page, blocks));
