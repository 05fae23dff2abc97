import { SectionBox } from "@kinvolk/headlamp-plugin/lib/CommonComponents";
import { useId, useMemo, useState } from "react";
import { unreadLines } from "../model/cluster-lists.ts";
import { filteredRows, jobSetRows, phaseCounts } from "../model/jobset-rows.ts";
import { JobSetTable } from "./jobset-table.tsx";
import { useObservation } from "./observation.ts";
import { Style } from "./style.tsx";

/** Shows all JobSets of the cluster with their phases, and the diagnosis on request. */
export function JobSetsPage() {
  const observation = useObservation();
  const { snapshot, context, facts, lists } = observation;
  const rows = useMemo(() => jobSetRows(snapshot, context, facts), [snapshot, context, facts]);
  const [filter, setFilter] = useState("");
  const filterId = useId();
  const jobSets = lists.find(({ kind }) => kind === "JobSet");
  return (
    <SectionBox title="JobSet diagnosis">
      <div className="jobset-diagnosis">
        <Style />
        <UnreadKinds lines={unreadLines(lists)} />
        <p>
          {phaseCounts(rows).map(([phase, count]) => (
            <span key={phase} className={`count phase-${phase}`}>
              {count} {phase}
            </span>
          ))}
        </p>
        <p>
          <label htmlFor={filterId}>Show only </label>
          <input
            id={filterId}
            type="search"
            size={40}
            value={filter}
            placeholder="namespace, name, phase, cause"
            onChange={(event) => setFilter(event.target.value)}
          />
        </p>
        {rows.length === 0 && jobSets?.outcome === "Read" ? (
          <p>There are no JobSets here.</p>
        ) : (
          <JobSetTable rows={filteredRows(rows, filter)} observation={observation} />
        )}
      </div>
    </SectionBox>
  );
}

/** Names the kinds that could not be read. */
export function UnreadKinds({ lines }: { readonly lines: readonly string[] }) {
  return (
    <div role="status">
      {lines.map((line) => (
        <p key={line} className="unread">
          {line}
        </p>
      ))}
    </div>
  );
}
