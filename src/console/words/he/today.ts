import type { today as english } from '../en/today.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const today: typeof english = {
  title: 'היום',
  now: 'עכשיו',
  takeAttendance: 'רישום נוכחות',
  seeAttendance: 'הצגת הנוכחות',
  classes: 'השיעורים היום',
  nextClass: 'השיעור הבא',
  currentClass: 'עכשיו',
  cancelled: 'בוטל',
  notMarked: 'לא נרשמה',
  students: (count) => many(count, { one: 'תלמיד אחד', two: 'שני תלמידים', other: `${count} תלמידים` }),
  marked: (marked, all) => `נרשמו ${isolate(marked)} מתוך ${isolate(all)}`,
  noClasses: 'אין שיעורים היום.',
  noClassesAhead: 'אין שיעורים בשבעת הימים הבאים.',
  toGroups: 'הצגת הקבוצות',
  firstSteps: 'המכון חדש. זה הסדר הנוח לשעה הראשונה:',
  firstTitle: 'השעה הראשונה',
  firstAway: 'הסתרת הרשימה',
  firstDone: 'בוצע',
  firstOpen: 'פתיחה',
  firstBranches: 'לתת שם לסניף ולהוסיף את האחרים',
  firstPeople: 'להזמין את המורים ואת המזכירות',
  firstCourse: 'להוסיף קורס: מה לומדים וכמה זה עולה',
  firstGroup: 'לפתוח קבוצה עם המועדים שלה ולהדביק בה את רשימת התלמידים',
  firstList: 'יש רשימת תלמידים באקסל? לייבא אותה',
  firstClosed: 'לסמן את החגים והחופשות',
  firstFees: 'לקבוע כמה משלמים בכל חודש ולהכין את דרישות התשלום הראשונות',
  notOnStaff: 'החשבון שלכם עוד לא מקושר לאיש צוות. מי שמנהל את הצוות יכול לקשר אותו.',
  earlierUnmarked: 'עוד לא נרשמה נוכחות',
  showAll: (count) => `הצגת הכול (${isolate(count)})`,
  absent: 'נעדרים היום, לפי הודעה מראש',
  absentUntil: (day) => `עד ${isolate(day)}`,
  walkIns: 'הגיעו בלי להיות רשומים',
  walkInEnrol: 'רישום',
  walkInEnrolOf: (name) => `רישום של ${isolate(name)}`,
  walkInEnrolled: (name, group) => `הרישום של ${isolate(name)} ל${isolate(group)} נשמר, החל מאותו שיעור.`,
  walkInLeave: 'בלי לרשום',
  walkInLeaveOf: (name) => `בלי לרשום את ${isolate(name)}`,
  needs: 'מחכה לטיפול',
  calm: 'שום דבר לא מחכה לטיפול כרגע.',
  markThem: 'לרישום',
  look: 'הצגה',
  unmarkedTitle: 'שיעורים שלא נרשמה בהם נוכחות',
  unmarkedMore: (count) =>
    many(count, {
      one: 'ועוד שיעור אחד ישן יותר.',
      two: 'ועוד שני שיעורים ישנים יותר.',
      other: `ועוד ${count} שיעורים ישנים יותר.`,
    }),
  unmarkedNone: 'בכל השיעורים נרשמה נוכחות.',
  unmarkedToday: (count) =>
    many(count, {
      one: 'שיעור אחד הסתיים היום ולא נרשמה בו נוכחות',
      two: 'שני שיעורים הסתיימו היום ולא נרשמה בהם נוכחות',
      other: `${count} שיעורים הסתיימו היום ולא נרשמה בהם נוכחות`,
    }),
  unmarkedBefore: (count) =>
    many(count, {
      one: 'בשיעור אחד מימים קודמים לא נרשמה נוכחות',
      two: 'בשני שיעורים מימים קודמים לא נרשמה נוכחות',
      other: `ב־${count} שיעורים מימים קודמים לא נרשמה נוכחות`,
    }),
  invoicesOverdue: (count, balance) =>
    many(count, {
      one: `דרישת תשלום אחת באיחור: ${isolate(balance)}`,
      two: `שתי דרישות תשלום באיחור: ${isolate(balance)}`,
      other: `${count} דרישות תשלום באיחור: ${isolate(balance)}`,
    }),
  invoicesDue: (count, balance) =>
    many(count, {
      one: `דרישת תשלום אחת להיום: ${isolate(balance)}`,
      two: `שתי דרישות תשלום להיום: ${isolate(balance)}`,
      other: `${count} דרישות תשלום להיום: ${isolate(balance)}`,
    }),
  newLeads: (count) => many(count, { one: 'פנייה חדשה אחת', two: 'שתי פניות חדשות', other: `${count} פניות חדשות` }),
  failedMessages: (count) =>
    many(count, {
      one: 'הודעה אחת לא נמסרה',
      two: 'שתי הודעות לא נמסרו',
      other: `${count} הודעות לא נמסרו`,
    }),
  backupNone: 'עוד אין גיבוי',
  backupOld: (when) => `הגיבוי האחרון הוא מ־${isolate(when)}`,
  backupElsewhere: 'העתקת הגיבוי למקום אחר נכשלה',
  licenseEnded: 'תקופת הרישיון הסתיימה. הכול ממשיך לעבוד.',
  licenseSilent: (date) => `ספק הרישיון לא ענה מאז ${isolate(date)}`,
  markedAbsent: (count: number) =>
    many(count, {
      one: 'נעדר היום: תלמיד אחד',
      two: 'נעדרים היום: שני תלמידים',
      other: `נעדרים היום: ${count} תלמידים`,
    }),
  told: 'המשפחה עודכנה',
  messageWaits: 'ההודעה ממתינה',
  notTold: 'לא עודכנו',
  excused: 'נמסר מראש',
}
