export {
  createWebhookHandler,
  type ReviewEvent,
  type SnapshotReadState,
  type WebhookHandlerOptions,
} from "./review/handler.ts";
export type { WebRequest, WebResponse, WebSignal, WebStream } from "./review/web.ts";
export { WEBHOOK_PATHS, type Webhook } from "./review/webhooks.ts";
