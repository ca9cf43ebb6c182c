import type { edit as english } from '../en/edit.ts'
import { isolate } from '../../../shared/isolate.ts'

export const edit: typeof english = {
  none: 'לא ידוע',
  empty: 'אין',
  change: (what) => `שינוי: ${what}`,
  notAccepted: 'אי אפשר לשמור כך. יש לבדוק מה שהוקלד.',
  missing: 'אי אפשר להשאיר ריק.',
  notNumber: 'יש להקליד מספר.',
  conflict: (now) => `מישהו אחר שינה את זה בינתיים. עכשיו כתוב: ${isolate(now)}`,
  conflictEmpty: 'מישהו אחר מחק את זה בינתיים.',
  saveMine: 'שמירת מה שהקלדתי',
}
