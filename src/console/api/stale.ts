/** What each kind of change makes stale: the beginnings of the keys of queries, which are paths of the API. */
export const STALE = {
  attendance: ['/sessions', '/me/teaching', '/students', '/groups', '/dashboard'],
  session: ['/sessions', '/schedule-conflicts', '/me/teaching', '/groups', '/me/schedule'],
  student: ['/students', '/search', '/groups'],
  guardian: ['/guardians', '/students', '/search'],
  group: ['/groups', '/sessions', '/schedule-conflicts', '/search'],
  course: ['/courses', '/course-categories', '/groups', '/search'],
  enrollment: ['/groups', '/students', '/sessions', '/schedule-conflicts'],
  invoice: ['/invoices', '/students', '/guardians', '/dashboard', '/search'],
  payment: ['/invoices', '/students', '/guardians', '/dashboard', '/receipts'],
  lead: ['/leads', '/search', '/dashboard'],
  inbox: ['/me/notifications'],
  me: ['/auth/me', '/me'],
  preferences: ['/notification-preferences'],
  sessions: ['/auth/sessions'],
  assistants: ['/me/grants'],
  calendar: ['/me/calendar'],
  member: ['/members', '/auth/me'],
  staff: ['/staff', '/groups', '/search'],
  branch: ['/branches'],
  settings: ['/settings', '/institute'],
  mail: ['/mail/settings'],
  mailTrial: [],
  site: ['/api-keys'],
  backup: ['/server/backups'],
} as const

export type Change = keyof typeof STALE
