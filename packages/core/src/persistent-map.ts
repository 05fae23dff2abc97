export { emptyMap, type PersistentMap } from "./snapshot/persistent-map.ts";
