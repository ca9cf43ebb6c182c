import type { inbox as english } from '../en/inbox.ts'

export const inbox: typeof english = {
  title: 'התראות',
  readAll: 'סימון הכול כנקרא',
  allRead: 'הכול סומן כנקרא.',
  isNew: 'חדש',
  emptyTitle: 'אין חדש',
  emptyText: 'כאן יופיע מה שהמכון מעדכן: שיעורים שבוטלו, תוצאות, חשבונות לתשלום והודעות.',
}
