// Follows the pages of the packages. `npm run pack-check` packs them and runs this.
import { followPages } from "./testing/follow.ts";

followPages((page) => page.startsWith("packages"));
