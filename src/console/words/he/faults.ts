import type { faults as english } from '../en/faults.ts'
import { isolate } from '../format.ts'

export const faults: typeof english = {
  unreachable: 'אין קשר עם השרת. כדאי לבדוק את החיבור ולנסות שוב.',
  busy: 'השרת עמוס כרגע. כדאי לנסות שוב בעוד רגע.',
  failed: 'משהו השתבש בשרת. כדאי לנסות שוב; אם זה חוזר, פנו למי שמפעיל אותו.',
  brokenTitle: 'הדף הזה לא פועל',
  broken: 'הדף הזה לא פועל כראוי. כדאי לטעון אותו מחדש; אם זה לא עוזר, כדאי לפנות למי שמפעיל את השרת.',
  reference: (id) => `אסמכתה: ${isolate(id)}`,
  invalid: 'כדאי לבדוק את מה שמסומן.',
  notFound: 'זה כבר לא קיים, או לא פתוח לכם.',
}
