import { isolate } from '../../../src/shared/isolate.ts'
import { clocks } from '../../../src/console/words/he/clocks.ts'
import { first } from '../../../src/console/words/he/first.ts'

/** What the wizard begins with. */
export const wizard = {
  steps: {
    language: 'שפה',
    institute: 'המכון',
    owner: 'בעלים',
    address: 'כתובת',
    mail: 'דוא״ל',
    review: 'סיכום',
  },
  setup: {
    title: 'הגדרת השרת',
    steps: 'שלבי ההגדרה',
    count: (n: number, total: number) => `שלב ${n} מתוך ${total}`,
    next: 'המשך',
    back: 'חזרה',
  },
  language: {
    title: 'ברוכים הבאים',
    lead: 'כאן מקימים את השרת של המכון שלכם: כמה שלבים קצרים שאורכים דקות אחדות. שום דבר לא ייווצר עד שתאשרו בסוף.',
    legend: 'באיזו שפה נוח לכם לבצע את ההגדרה?',
    hint: 'אפשר להחליף שפה בכל רגע. מה שכבר הקלדתם יישמר.',
    moving: 'המכון שלכם כבר נמצא בשרת אחר?',
    move: 'להעביר אותו לכאן מגיבוי',
  },
  token: {
    label: 'קוד ההגדרה',
    hint: `הוא מופיע בסוף הכתובת שהשרת הדפיס בהפעלה הראשונה; הפקודה ${isolate('institute setup-token')} בשרת מדפיסה אותו שוב. אפשר גם להדביק את הכתובת המלאה.`,
    missing: 'נא להזין את קוד ההגדרה.',
    wrong: `השרת אינו מקבל את קוד ההגדרה הזה. הפקודה ${isolate('institute setup-token')} בשרת מדפיסה את הקוד הנכון.`,
    checking: 'בודקים…',
  },
  clocks,
  signedOut: {
    title: 'יצאתם מהחשבון',
    text: 'המכון ממשיך לפעול. אפשר לסגור את הדף הזה.',
  },
  already: {
    title: 'השרת הזה כבר הוגדר',
    text: 'ההגדרה נעשית פעם אחת בלבד, וכבר קיים כאן מכון. לא השתנה דבר.',
    next: 'אם אתם הבעלים, היכנסו עם הדוא״ל והסיסמה ביישום שבו המכון משתמש. השרת עונה לתוכנות בכתובת הזו:',
  },
  cloud: {
    title: 'אין צורך בהגדרה כאן',
    text: 'השרת הזה פועל במצב ענן. מנהלי הפלטפורמה הם שפותחים בו מכונים.',
  },
  unreachable: {
    title: 'השרת אינו עונה',
  },
  copy: {
    label: 'העתקה',
    done: 'הועתק',
    api: 'העתקה של כתובת ה־API',
    key: 'העתקה של מפתח ה־API',
    request: 'העתקה של הבקשה לדוגמה',
    folder: 'העתקה של נתיב התיקייה',
    command: 'העתקה של הפקודה',
  },
  open: 'פתיחת המכון',
  openDocs: 'פתיחת התיעוד',
  signIn: 'המשך לכניסה לחשבון',
}

/** All that its first page says. */
export const words = { ...first, wizard }
