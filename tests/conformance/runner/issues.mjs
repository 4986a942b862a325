// Guesses the issue that will make a scenario green. Only UPDATE=1 uses it, to fill in new lines of not-yet-green.json,
// which a person then reviews.
//
// Issues: 2 Foundation, 3 Versions, 4 Representations, 5 Updates, 6 Life, 7 Custom resources; later ones by name until
// they have a number.

const kRules = [
  [/^auth\/|^errors\/unauthorized/, 'Identity', 'authentication and RBAC'],
  [/^errors\/(pod-security|quota-exceeded)|vap-enforced/, 'Identity', 'admission plugins and policies'],
  [/^controllers\/(namespace|garbage-collection|pdb)$/, 6, 'control loops'],
  [/^controllers\//, 'Workloads', 'control loops'],
  [/^crd\//, 7, 'custom resources'],
  [/^apply\/|field-manager/, 5, 'server-side apply and managedFields'],
  [/^patch\//, 5, 'strategic merge patch, or defaults'],
  [/^(content|discovery|tables)\/|^errors\/malformed-(cbor|protobuf)|watch-encodings/, 4, 'representations'],
  [/^(list|watch)\//, 3, 'versions'],
  [/^(kinds-.*|validation|deletion|subresources)\//, 6, 'defaults, validation, strategies'],
];

/** @param {string} name topic/name */
export function guessIssue(name) {
  const rule = kRules.find(([pattern]) => pattern.test(name));
  return rule ? { issue: rule[1], why: rule[2] } : { issue: 2, why: 'to be looked at' };
}
