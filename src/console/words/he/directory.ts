import type { directory as english } from '../en/directory.ts'
import { isolate } from '../../../shared/isolate.ts'

export const directory: typeof english = {
  which: 'איזו רשימה',
  students: 'תלמידים',
  guardians: 'הורים',
  order: 'סדר',
  orders: { name: 'לפי שם משפחה', newest: 'מהחדש לישן' },
  filters: 'סינון',
  filtersOn: (count) => `סינון (${isolate(count)})`,
  columns: 'עמודות',
  column: {
    name: 'שם',
    groups: 'קבוצות',
    phone: 'טלפון',
    balance: 'יתרה לתשלום',
    number: 'מספר',
    branch: 'סניף',
    children: 'ילדים',
    email: 'דוא״ל',
  },
  guardianSearch: 'שם, טלפון או דוא״ל',
  noGuardians: 'עדיין אין הורים ברשימה. הם נוספים עם הילדים שנרשמים.',
  noGuardianFound: 'אין הורה מתאים. כדאי לנסות פחות אותיות.',
  allGuardians: 'הצגת כל ההורים',
}
