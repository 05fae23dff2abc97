export { emptyTrie, type Trie } from "./snapshot/trie.ts";
