// Follows all pages except the guides and the pages of packages. `npm run pack-check` packs the packages and
// runs this.
import { followPages, isGuide } from "./testing/follow.ts";

followPages((page, blocks) => !page.startsWith("packages") && !isGuide(page, blocks));
