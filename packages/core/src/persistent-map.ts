export { emptyMap, type PersistentMap } from "./snapshot/trie.ts";
