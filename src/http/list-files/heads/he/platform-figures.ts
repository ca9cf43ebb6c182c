/** The institutes of whoever runs the cloud, and the figures of their months. */
export const platformFigures = {
  institutes: 'מכונים',
  archived: 'נסגרו לצמיתות',
  cancelled: 'המינוי בוטל',
  locked: 'ננעלו',
  recurring: 'בכל חודש, לפי תוכנית',
  countedAt: 'נספר ב',
  planName: 'תוכנית',
  subscriptions: 'מינויים',
  archivedAt: 'הועבר לארכיון ב',
  cancelledAt: 'בוטל ב',
}
