/** The keys of mutants of unspecified outputs: correct subjects may return other values, so no law has to kill them. */
export const unspecifiedOutputs: readonly RegExp[] = [
  // Messages are for people.
  /\.status\.conditions\[\w*\]\.message$/,
  // The kind, namespace and name identify the object of an Event.
  /^[\w ]+ \w+\[create Event\]\.object\.(message|apiVersion|metadata\.|involvedObject\.(apiVersion|uid))/,
  // Events may be repeated, and JobSet has no rule about additional Services and claims.
  /^repeat \w+\[create (Event|Service|PersistentVolumeClaim)\]$/,
  // The deletion of a missing object changes nothing.
  /^repeat \w+\[delete \w+\]$/,
  // Preconditions guard against concurrent writes, and these cases have none.
  /^drop .*(\.preconditions\.uid|\.metadata\.(uid|resourceVersion))$/,
  // Some client libraries do not set it.
  /^(alter|drop) .*\.ownerReferences\[\]\.blockOwnerDeletion$/,
  // The path of a request has the namespace and the version, too.
  /^drop .*\.(metadata\.namespace|apiVersion)$/,
  // The next pass completes a pass that ended early.
  /^move to the end \w+\[(create (Service|PersistentVolumeClaim)|delete \w+|(update|patch) Job(\/status)?)\]$/,
  /^(reverse passes|move to the end passes\[(create (Event|Job)|update JobSet\/status)\])$/,
  // An update ignores the status, and an update of the status ignores everything else.
  /passes\[update Job\]\.object\.status\./,
  /repairs\[update Pod\/status\]\.object\.(metadata\.(labels|annotations|ownerReferences)|spec)/,
  // The follower is deleted next, so its phase does not matter.
  /^drop repairs\[update Pod\/status\]\.object\.status\.phase$/,
  // The order of defaults, terms and their values does not matter, and a repeated operation changes nothing.
  /^(move to the end|reverse) \w+\.mutate\.response\.patch/,
  /^repeat \w+\.mutate\.response\.patch\[\w+ [^\]]*\]$/,
  // Messages of denials are for people. A law checks only that they mask no cause.
  /^alter \w+\.(mutate|validate)\.response\.status\.(message|details\.causes\[.*\]\.message)$/,
  // The API server completes the status of a denial.
  /^(drop|leave out) \w+\.(mutate|validate)\.response\.status\.(code|status|reason|details\..*)$/,
  // The causes are a list for people.
  /^(reverse|repeat|move to the end) \w+\.validate\..*\.details\.causes/,
  // A rule is often about two members, and new reasons may be added.
  /^alter JobSet\.validate\..*\.details\.causes\[.*\]\.(field|reason)$/,
  // The client knows what it sent, and the API server writes the status by itself.
  /^alter \w+\.(mutate|validate)\.response\.status\.(status|details\.(name|group|kind))$/,
  // The status of an allowed response is ignored.
  /^alter JobSet\.mutate\.response\.status\.code$/,
  // The Job controller tries to create a denied Pod again, whatever the code is.
  /^alter Pod\.(mutate|validate)\.response\.status\.(code|reason)$/,
  // The validating webhook denies a Pod that the mutating webhook admits.
  /^decide otherwise Pod\.mutate denies/,
  // Nulls, zeros and empty objects, as Go writes them, count as absent.
  /^(alter|drop|leave out) JobSet\.mutate\.response\.patch\[add \/\S*(metadata|resources|status)\]/,
];
