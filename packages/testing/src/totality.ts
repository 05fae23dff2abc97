export {
  type ArgumentKind,
  answersAnything,
  anything,
  type FunctionRow,
  type FunctionTable,
  functionsAnswerAnything,
  ofCode,
} from "./properties/answers-anything.ts";
export { MOST_RESULT_PARTS, type NumberCost, numberCosts } from "./properties/ignores-numbers.ts";
