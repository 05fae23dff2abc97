export {
  createWebhookHandler,
  type ReviewEvent,
  type WebhookHandlerOptions,
} from "./review/handler.ts";
export type { WebRequest, WebResponse } from "./review/web.ts";
export { WEBHOOK_PATHS, type Webhook } from "./review/webhooks.ts";
