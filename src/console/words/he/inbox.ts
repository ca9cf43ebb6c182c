import type { inbox as english } from '../en/inbox.ts'

export const inbox: typeof english = {
  title: 'התראות',
  readAll: 'סימון הכול כנקרא',
  allRead: 'הכול סומן כנקרא.',
  isNew: 'חדש',
  emptyTitle: 'אין התראות חדשות',
  emptyText: 'כאן יופיעו העדכונים של המכון: שיעורים שבוטלו, תוצאות, דרישות תשלום והודעות.',
}
