/** The institutes of whoever runs the cloud, and the figures of their months. */
export const platformFigures = {
  institutes: 'Institutes',
  archived: 'Closed for good',
  cancelled: 'Subscription cancelled',
  locked: 'Locked',
  recurring: 'Each month, by plan',
  countedAt: 'Counted',
  planName: 'Plan',
  subscriptions: 'Subscriptions',
  archivedAt: 'Archived',
  cancelledAt: 'Cancelled',
}
