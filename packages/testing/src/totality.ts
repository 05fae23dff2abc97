export {
  type ArgumentKind,
  answersAnything,
  anything,
  type FunctionRow,
  type FunctionTable,
  functionsAnswerAnything,
  ofCode,
} from "./properties/answers-anything.ts";
