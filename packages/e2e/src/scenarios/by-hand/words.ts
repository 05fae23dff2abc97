// Words of the API server and of the controller that several stories expect.

/** A refusal by a webhook. */
export function denied(webhook: string, message: string): string {
  return `admission webhook "${webhook}" denied the request: ${message}`;
}

/** Errors in a JobSet, as the schema of the CustomResourceDefinition has them told. */
export function invalid(errors: string, name = "train"): string {
  return `JobSet.jobset.x-k8s.io "${name}" is invalid: ${errors}`;
}

/** Errors in a JobSet that the webhook has found. */
export function deniedJobSet(errors: string, name?: string): string {
  return denied("vjobset.kb.io", invalid(errors, name));
}

/** What the controller says when a failure policy acts upon the failure of a Job. */
export function applying(action: string, job: string): string {
  return `applying ${action} failure policy action (first failed job: train-${job})`;
}
