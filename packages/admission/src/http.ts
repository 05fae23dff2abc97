export {
  type AnsweredReview,
  type HandlerOptions,
  handler,
  type Reading,
} from "./review/handler.ts";
export type { WebRequest, WebResponse, WebSignal, WebStream } from "./review/web.ts";
export { WEBHOOK_PATHS, type Webhook } from "./review/webhooks.ts";
