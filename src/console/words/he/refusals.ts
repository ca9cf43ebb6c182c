import type { refusals as english } from '../en/refusals.ts'
import { isolate } from '../format.ts'

export const refusals: typeof english = {
  unreachable: 'אין קשר עם השרת. כדאי לבדוק את החיבור ולנסות שוב.',
  busy: 'השרת עמוס כרגע. כדאי לנסות שוב בעוד רגע.',
  failed: 'משהו השתבש בשרת. כדאי לנסות שוב; אם זה חוזר, פנו למי שמפעיל אותו.',
  reference: (id) => `אסמכתה: ${isolate(id)}`,
  invalid: 'כדאי לבדוק את מה שמסומן.',
  notFound: 'זה כבר לא קיים, או לא פתוח לכם.',
  codes: {
    UNAUTHORIZED: 'יש להיכנס קודם.',
    FORBIDDEN: 'אין לכם הרשאה לכך.',
    FEATURE_DISABLED: 'זה לא חלק ממה שיש למכון.',
    RATE_LIMITED: 'יותר מדי ניסיונות בזמן קצר. יש להמתין דקה ולנסות שוב.',
    VERSION_CONFLICT: 'מישהו אחר שינה את זה בינתיים. כדאי לראות את המצב עכשיו ולשנות שוב.',
    SUBSCRIPTION_SUSPENDED: 'הרישיון של המכון נעול: אי אפשר לשנות דבר.',
    PAYMENT_REQUIRED: 'הרישיון של המכון הסתיים: אי אפשר לשנות דבר.',
    TENANT_SUSPENDED: 'המכון הזה סגור.',
    MEMBERSHIP_INACTIVE: 'הגישה שלכם למכון הזה הסתיימה.',
    ACCOUNT_DISABLED: 'החשבון הזה הושבת.',
    ACCOUNT_LOCKED: 'יותר מדי סיסמאות שגויות. יש להמתין 15 דקות, או לבחור סיסמה חדשה.',
  },
  reasons: {},
}
