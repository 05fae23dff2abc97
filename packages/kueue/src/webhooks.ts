export { kueueAncestor } from "./webhooks/ancestor.ts";
export { canDefaultManagedBy, defaultOnCreate } from "./webhooks/default-on-create.ts";
export {
  type KueueValidation,
  validateKueueCreate,
  validateKueueUpdate,
} from "./webhooks/validate.ts";
