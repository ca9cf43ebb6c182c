import type { platformFigures as english } from '../en/platform-figures.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const platformFigures: typeof english = {
  about: 'מצב הפלטפורמה, חודש אחר חודש.',
  print: 'הדפסה',
  span: 'התקופה',
  months: (count) => many(count, { one: 'חודש אחד', two: 'חודשיים', other: `${count} חודשים` }),
  month: 'חודש',
  institutes: 'מכונים',
  comeAndGo: 'מי הצטרף ומי עזב',
  created: 'נוספו',
  cancelled: 'המינוי בוטל',
  archived: 'נסגרו לצמיתות',
  locked: 'ננעלו',
  students: 'תלמידים',
  recurring: 'הכנסה חודשית',
  recurringIn: (currency) => `הכנסה חודשית ב־${isolate(currency)}`,
  byMonth: 'נתונים לפי חודש',
  byPlan: 'הכנסה חודשית לפי תוכנית',
  plan: 'תוכנית',
  subscriptions: 'מינויים',
  counted:
    'החודשים מתחילים ומסתיימים לפי UTC. תלמידים והכנסה נספרים בכל שעה, והספירה האחרונה בחודש היא הנתון שלו; לחודש שבו לא נספר דבר אין נתון. תקופת ניסיון אינה נכללת בהכנסה, ותוכנית שנתית נכללת בכל חודש בחלק אחד משנים־עשר.',
  lists: {
    createdIn: (month) => `נוספו ב${isolate(month)}.`,
    cancelledIn: (month) => `המינוי שלהם בוטל ב${isolate(month)}.`,
    archivedIn: (month) => `נסגרו לצמיתות ב${isolate(month)}.`,
    lockedIn: (month) => `ננעלו ב${isolate(month)} ועדיין נעולים.`,
  },
  all: 'הצגת כל המכונים',
}
