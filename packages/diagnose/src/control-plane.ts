export { controlPlaneChecks } from "./diagnosis/extensions/control-plane/control-plane.ts";
export {
  createTemplateChecks,
  type JobValidator,
} from "./diagnosis/extensions/control-plane/template-checks.ts";
