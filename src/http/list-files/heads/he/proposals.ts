/** What families ask to change of what is kept of them. */
export const proposals = {
  proposed: 'מבוקש',
  stands: 'רשום אצלנו',
  acceptedFields: 'אושר',
  decidedAt: 'הוחלט ב',
  byName: 'ביקש/ה',
  changedSince: 'השתנה בינתיים',
  seen: 'סימון המצב שנבדק',
}
