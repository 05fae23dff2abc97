// Registers the parts of the plugin: a page with all JobSets of a cluster, and a section on the page of each JobSet.
import {
  registerDetailsViewSection,
  registerRoute,
  registerSidebarEntry,
} from "@kinvolk/headlamp-plugin/lib";
import { JobSetSection } from "./view/jobset-section.tsx";
import { JobSetsPage } from "./view/jobsets-page.tsx";

const page = { name: "jobset-diagnosis", url: "/jobset-diagnosis" };

registerSidebarEntry({
  parent: "workloads",
  name: page.name,
  label: "JobSet diagnosis",
  url: page.url,
});

registerRoute({
  path: page.url,
  sidebar: page.name,
  name: page.name,
  exact: true,
  component: () => <JobSetsPage />,
});

registerDetailsViewSection(({ resource }) =>
  resource?.kind === "JobSet" ? <JobSetSection jobSet={resource} /> : null,
);
