/** What families ask to change of what is kept of them. */
export const proposals = {
  proposed: 'Asked for',
  stands: 'Kept now',
  acceptedFields: 'Accepted',
  decidedAt: 'Decided',
  byName: 'Asked for by',
  changedSince: 'Changed since',
  seen: 'As looked at',
}
