/** The notifications of the signed-in person. */
export const inbox = {
  title: 'Notifications',
  readAll: 'Mark all as read',
  allRead: 'All are marked as read.',
  isNew: 'New',
  emptyTitle: 'Nothing new',
  emptyText: 'What the institute tells you appears here: cancelled lessons, results, invoices, messages.',
}
