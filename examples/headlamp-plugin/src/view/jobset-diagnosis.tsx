import { diagnose } from "@jobset-ts/diagnose";
import { allChecks } from "@jobset-ts/diagnose/all";
import { useMemo } from "react";
import { lackingLine } from "../model/jobset-rows.ts";
import { printable } from "../model/printable.ts";
import { listReportedCauses, type ReportedCause } from "../model/reported-cause.ts";
import { CauseChain } from "./cause-chain.tsx";
import type { Observation } from "./observation.ts";

/** Shows why a JobSet does not progress: each root cause with its effects, evidence and advice. */
export function JobSetDiagnosis({
  namespace,
  name,
  observation: { snapshot, context, facts },
}: {
  readonly namespace: string;
  readonly name: string;
  readonly observation: Observation;
}) {
  const jobSet = snapshot.jobSet(namespace, name);
  const diagnosis = useMemo(
    () => jobSet && diagnose(snapshot, jobSet, { ...context, checks: allChecks }, facts),
    [snapshot, jobSet, context, facts],
  );
  const lacking = lackingLine(snapshot);
  if (lacking !== undefined) return <p>No diagnosis: {lacking}.</p>;
  if (diagnosis === undefined) return <p>The JobSet does not exist, or is not listed yet.</p>;
  const { causes, hiddenCount } = listReportedCauses(diagnosis);
  const { notes, contradictions, notChecked } = diagnosis;
  return (
    <section
      className="diagnosis"
      aria-label={`Diagnosis of ${namespace}/${name}: ${diagnosis.status.toLowerCase()}`}
    >
      {causes.length === 0 && <p>Nothing was found that holds it up.</p>}
      {causes.map((cause) => (
        <Cause key={cause.number} cause={cause} />
      ))}
      {hiddenCount > 0 && <p>… and {hiddenCount} more root causes</p>}
      <Lines title="Note" lines={notes} />
      <Lines title="Contradiction" lines={contradictions} />
      {notChecked.length > 0 && <p>Not checked: {notChecked.join(", ")}</p>}
    </section>
  );
}

function Cause({ cause }: { readonly cause: ReportedCause }) {
  const [root] = cause.chain;
  return (
    <article aria-label={`Root cause ${cause.number}: ${root?.text ?? ""}`}>
      <CauseChain cause={cause} />
      {cause.mayBeCausedBy.length > 0 && (
        <p className="unread">
          Something that was not checked may be behind it: {cause.mayBeCausedBy.join(", ")}
        </p>
      )}
      {cause.advice.map((text) => (
        <p key={text} className="advice">
          What would help: <WithCode text={text} />
        </p>
      ))}
    </article>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  return lines.map((line) => (
    <p key={line}>
      {title}: {printable(line)}
    </p>
  ));
}

/** Renders text between backticks as code. */
function WithCode({ text }: { readonly text: string }) {
  return text.split("`").map((part, at) => {
    const key = `${at} ${part}`;
    return at % 2 === 1 ? <code key={key}>{part}</code> : <span key={key}>{part}</span>;
  });
}
