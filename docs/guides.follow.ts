// Follows each guide. `npm run guides` packs the packages and runs this.
import { followPages, isGuide } from "./testing/follow.ts";

followPages(isGuide);
