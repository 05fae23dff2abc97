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
    what: "a second Service or volume claim",
    place: /^send twice create (Service|PersistentVolumeClaim)$/,
    why: "JobSet says nothing about additional objects",
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
  {
    what: "the words of refusals",
    place:
      /^alter \w+ (mutate|validate) \.response\.status\.(message|details\.causes\[.*\]\.message)$/,
    why: "they are for people; only that they mask no cause is a law's affair",
  },
  {
    what: "less than all about a refusal",
    place:
      /^(drop|leave out) \w+ (mutate|validate) \.response\.status\.(code|status|reason|details\..*)$/,
    why: "an API server makes good what is missing, and a webhook may say no more than that it refuses",
  },
  {
    what: "the order of causes, and to tell one twice",
    place: /^(turn round|say twice|move to the end) \w+ validate .*\.details\.causes/,
    why: "they are a list for people",
  },
  {
    what: "which member of a JobSet is blamed, and what its mistake is called",
    place: /^alter JobSet validate .*\.details\.causes\[.*\]\.(field|reason)$/,
    why: "a rule is often about two members, and the words for mistakes are an open list",
  },
  {
    what: "the object in a refusal",
    place: /^alter \w+ (mutate|validate) \.response\.status\.(status|details\.(name|group|kind))$/,
    why: "the client knows what it sent, and an API server writes the status by itself",
  },
  {
    what: "the code of a refused Pod",
    place: /^alter Pod (mutate|validate) \.response\.status\.(code|reason)$/,
    why: "the Job controller tries again, whatever it is",
  },
  {
    what: "which of two webhooks refuses a Pod",
    place: /^decide otherwise Pod mutate refuses/,
    why: "what the first lets pass the second refuses",
  },
  {
    what: "members that say nothing",
    place:
      /^(alter|drop|leave out) JobSet mutate \.response\.patch\[add \/\S*(metadata|resources|status)\]/,
    why: "nulls, zeros and empty objects are as Go writes them; they are as good as absent",
  },
];
