/** What a controller may do as it likes, and why. What is in here is changed as well, and no law has to see it. */
export const FREE: readonly {
  readonly what: string;
  readonly place: RegExp;
  readonly why: string;
}[] = [
  {
    what: "messages of conditions",
    place: /\.status\.conditions\[\w*\]\.message$/,
    why: "they are for people, in whatever words",
  },
  {
    what: "messages, names and versions of Events",
    place:
      /^[\w ]+ create Event \.(message|apiVersion|metadata\.|involvedObject\.(apiVersion|uid))/,
    why: "they are for people; what an Event is about is told by kind, namespace and name",
  },
  {
    what: "a second Event of the same kind",
    place: /^send twice create Event$/,
    why: "Events are counted and may be repeated",
  },
  {
    what: "UIDs as preconditions",
    place: /^drop .*(!preconditions\.uid|\.metadata\.(uid|resourceVersion))$/,
    why: "they guard against what comes between, and nothing does here",
  },
  {
    what: "namespaces and versions that are left out",
    place: /^drop .*\.(metadata\.namespace|apiVersion)$/,
    why: "the path of a request says them, too",
  },
  {
    what: "the order of what does not depend on one another",
    place:
      /^send behind .* (create (Service|PersistentVolumeClaim)|delete \w+|update Job(\/status)?)$/,
    why: "the next pass makes good what a pass that ends in between leaves",
  },
];
