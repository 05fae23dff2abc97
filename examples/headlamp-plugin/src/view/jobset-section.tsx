import { SectionBox } from "@kinvolk/headlamp-plugin/lib/CommonComponents";
import { unreadLines } from "../model/cluster-lists.ts";
import { JobSetDiagnosis } from "./jobset-diagnosis.tsx";
import { UnreadKinds } from "./jobsets-page.tsx";
import { useObservation } from "./observation.ts";
import { Style } from "./style.tsx";

/** Shows the diagnosis on Headlamp's page of a JobSet. */
export function JobSetSection({
  jobSet: {
    metadata: { namespace = "", name },
  },
}: {
  readonly jobSet: { readonly metadata: { readonly namespace?: string; readonly name: string } };
}) {
  const observation = useObservation();
  return (
    <SectionBox title="Diagnosis">
      <div className="jobset-diagnosis">
        <Style />
        <UnreadKinds lines={unreadLines(observation.lists)} />
        <JobSetDiagnosis namespace={namespace} name={name} observation={observation} />
      </div>
    </SectionBox>
  );
}
