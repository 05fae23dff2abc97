export { PatternBudget } from "./pattern-budget.ts";
export type { ReadPattern } from "./pattern-syntax.ts";
export { compileProgram } from "./program.ts";
export type { Refusal } from "./refusal.ts";
export { Search, type SearchAllowance } from "./search.ts";
