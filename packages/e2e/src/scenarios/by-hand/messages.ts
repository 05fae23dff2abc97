// Messages of the API server and the controller that several stories expect.

/** Returns the message of a webhook's denial. */
export function denied(webhook: string, message: string): string {
  return `admission webhook "${webhook}" denied the request: ${message}`;
}

/** Returns the message for errors of the CustomResourceDefinition's schema. */
export function invalid(errors: string, name = "train"): string {
  return `JobSet.jobset.x-k8s.io "${name}" is invalid: ${errors}`;
}

/** Returns the message for errors that the webhook reports. */
export function deniedJobSet(errors: string, name?: string): string {
  return denied("vjobset.kb.io", invalid(errors, name));
}

/** Returns the controller's message when a failure policy handles the failure of a Job. */
export function applying(action: string, job: string): string {
  return `applying ${action} failure policy action (first failed job: train-${job})`;
}
