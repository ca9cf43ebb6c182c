import { isolate } from '../../../src/shared/isolate.ts'
import { first } from '../../../src/console/words/he/first.ts'
import { refusals } from '../../../src/console/words/he/refusals.ts'

/** What an assistant asks for, and who decides. */
export const authorize = {
  another: 'כניסה בחשבון אחר',
  signInTitle: 'עוזר דיגיטלי מבקש להיכנס',
  signInLead: 'תוכנה מבקשת לפעול בשמכם במכון שלכם. נא להיכנס לחשבון: אחר כך תראו מי מבקש ולשם מה, ותחליטו.',
  title: (client: string) => `${isolate(client)} מבקש לפעול בשמכם`,
  account: (email: string) => `אתם מחוברים בחשבון ${isolate(email)}.`,
  unverified: 'איש לא בדק את השם הזה: התוכנה בחרה אותו בעצמה. המשיכו רק אם אתם התחלתם את זה לפני רגע.',
  client: 'העוזר',
  verified: 'מי מתאר אותו',
  returns: 'לאחר מכן תחזרו אל',
  returnsHere: 'תוכנה במכשיר הזה',
  returnsProgram: (scheme: string) => `התוכנה במכשיר הזה שפותחת קישורי „${isolate(scheme)}”`,
  institute: 'המכון',
  choose: 'באיזה מכון?',
  notAllowed: 'כאן אין לכם הרשאה להשתמש בעוזר.',
  can: 'מה העוזר יוכל לעשות, עבורכם ובשמכם',
  canPeople: 'למצוא תלמידים ובני משפחה ולקרוא את הפרטים שלהם',
  canGroups: 'לראות קבוצות, מערכות שעות ושיעורים',
  canEnrol: 'לרשום תלמידים לקבוצות ולסיים רישום',
  canAttendance: 'לראות נוכחות ולסמן אותה',
  canAttendanceSeen: 'לראות נוכחות',
  canExams: 'לראות תוצאות של מבחנים',
  canMoney: 'לראות דרישות תשלום, תשלומים ויתרות חוב',
  canInvoices: 'להכין טיוטות של דרישות תשלום ולהנפיק אותן',
  canPayments: 'לרשום תשלומים',
  canLeads: 'לראות פניות ולהפוך פונים לתלמידים',
  canLeadsSeen: 'לראות פניות',
  canMessages: 'לשלוח הודעות למשפחות ולצוות',
  canFigures: 'לראות את נתוני המכון',
  canOwn: 'לראות את מערכת השעות שלכם',
  cannot: 'מה הוא לא יוכל לעשות',
  cannotAccount: 'לראות את הסיסמה שלכם או לשנות את החשבון שלכם',
  cannotRights: 'להזמין אנשים או לשנות תפקידים, הגדרות או מפתחות',
  cannotMore: 'יותר ממה שמותר לכם. אם תאבדו הרשאה, גם הוא יאבד אותה מיד',
  leaves: 'מה שהעוזר קורא כאן מגיע אל מי שמפעיל אותו.',
  end: 'אפשר לסיים את זה בכל עת באפליקציה של המכון, וגם מי שמנהל את החברים בו יכול.',
  approve: 'לאשר',
  refuse: 'לסרב',
  sending: 'רק רגע…',
  back: 'לחזור בלי לאשר',
  nowhereTitle: 'אי אפשר להכניס עוזר',
  nowhereText: 'העוזרים כבויים במכון שלכם, או שהתפקיד שלכם אינו כולל אותם. מי שמנהל את המכון יכול לשנות זאת.',
  faultyTitle: 'הבקשה של העוזר שגויה',
  faultyText: 'הבקשה אינה שלמה או שאינה מיועדת לשרת הזה, ולכן לא אושר דבר. נא להודיע למי שמפתח את העוזר.',
  invalidTitle: 'אי אפשר לסמוך על הבקשה הזאת',
  invalidClient:
    'השרת אינו מכיר את התוכנה שמבקשת, או שלא הצליח לקרוא את התיאור שלה. נא להתחיל שוב בעוזר; אם זה לא עוזר, אפשר להסיר שם את החיבור ולהוסיף אותו מחדש.',
  invalidRedirect:
    'התשובה הייתה נשלחת לכתובת שהתוכנה מעולם לא מסרה לשרת הזה, או שלא בטוח לפתוח. לא אושר דבר. נא לסגור את הדף.',
  invalidIncomplete: 'הכתובת של הדף הזה אינה שלמה. נא להתחיל שוב בעוזר.',
  doneTitle: 'בוצע',
  doneText: 'נא להמשיך בעוזר. אפשר לסגור את הדף עכשיו.',
}

/** All that this page says. */
export const words = { ...first, refusals, authorize }
