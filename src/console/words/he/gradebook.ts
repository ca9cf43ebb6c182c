import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const gradebook = {
  title: 'מבחנים וציונים',
  titleOf: (group: string) => `מבחנים וציונים של ${isolate(group)}`,
  group: 'קבוצה',
  all: 'לציונים',
  none: 'עדיין אין מבחנים לקבוצה הזאת.',
  noneYet: 'עדיין אין מבחנים לקבוצה הזאת. מוסיפים מבחן ומקלידים את הציונים של כל הקבוצה.',
  gone: 'המבחן הזה נמחק.',
  add: 'מבחן חדש',
  edit: 'שינוי המבחן',
  editOf: (title: string) => `שינוי ${isolate(title)}`,
  saved: (title: string) => `${isolate(title)} נשמר.`,
  name: 'שם',
  nameHint: 'כפי שההורים יראו, למשל ”שברים”',
  titleMissing: 'צריך לתת שם.',
  kind: 'סוג',
  kinds: { quiz: 'בוחן', exam: 'מבחן', homework: 'שיעורי בית', project: 'עבודה', final: 'מבחן מסכם' },
  day: 'יום המבחן',
  most: 'הציון המרבי',
  weight: 'משקל',
  weightHint: 'כמה הוא נחשב בממוצע. 2 נחשב פי שניים מ־1.',
  noNumber: 'צריך להקליד מספר, למשל 100 או 12.5.',
  outOf: (most: string) => `מתוך ${isolate(most)}`,
  average: 'ממוצע',
  classAverage: 'ממוצע הקבוצה',
  averageOf: (average: string, most: string) => `ממוצע ${isolate(average)} מתוך ${isolate(most)}`,
  missing: (count: number) =>
    many(count, { one: 'חסר ציון אחד', two: 'חסרים שני ציונים', other: `חסרים ${count} ציונים` }),
  unpublished: 'לא פורסם',
  published: 'פורסם',
  publishedOn: (day: string) => `פורסם ב־${isolate(day)}`,
  publish: 'פרסום',
  publishAsk: (title: string) => `לפרסם את הציונים של ${isolate(title)}?`,
  publishTells: (count: number) =>
    many(count, {
      one: 'התלמיד או התלמידה וההורים יראו את הציון ויקבלו עכשיו הודעה.',
      two: 'שתי משפחות יראו את הציונים ויקבלו עכשיו הודעה.',
      other: `המשפחות של ${count} תלמידים יראו את הציונים ויקבלו עכשיו הודעה.`,
    }),
  publishMissing: (count: number) =>
    many(count, {
      one: 'לתלמיד אחד עדיין אין ציון.',
      two: 'לשני תלמידים עדיין אין ציון.',
      other: `ל־${count} תלמידים עדיין אין ציון.`,
    }),
  wasPublished: (title: string) => `${isolate(title)} פורסם.`,
  remove: 'מחיקת המבחן',
  removeAsk: (title: string) => `למחוק את ${isolate(title)}?`,
  removed: (title: string) => `${isolate(title)} נמחק.`,
  nobody: 'אף אחד לא היה בקבוצה ביום המבחן הזה.',
  scoreOf: (name: string) => `הציון של ${isolate(name)}`,
  absent: 'נעדר',
  absentOf: (name: string) => `${isolate(name)}: נעדר מהמבחן`,
  remark: 'הערה',
  remarkOf: (name: string) => `הערה ל${isolate(name)}`,
  remarkHint: 'ההורים קוראים אותה ליד הציון.',
  keepRemark: 'הוספת ההערה',
  wrong: (most: string) => `צריך להקליד מספר מ־0 עד ${isolate(most)}, או - למי שנעדר.`,
  someWrong: 'יש ציונים שאי אפשר לשמור כך.',
  keys: 'מקלידים ציון ולוחצים Enter כדי לעבור לתלמיד הבא. - פירושו נעדר. אפשר להדביק עמודה, או שמות עם ציונים. Ctrl+Enter שומר.',
  entered: (count: string, all: string) => `${isolate(count)} מתוך ${isolate(all)} ציונים`,
  changed: 'לא נשמר עדיין',
  unsaved: (count: number) =>
    many(count, { one: 'שינוי אחד לא נשמר', two: 'שני שינויים לא נשמרו', other: `${count} שינויים לא נשמרו` }),
  savedAll: 'הציונים נשמרו.',
  restored: 'הוקלדו כאן ציונים קודם ולא נשמרו.',
  pastedUnknown: (count: number) =>
    many(count, {
      one: 'לא ידוע של מי השורה הזאת, ולכן לא הוכנסה:',
      two: 'לא ידוע של מי שתי השורות האלה, ולכן לא הוכנסו:',
      other: `לא ידוע של מי ${count} השורות האלה, ולכן לא הוכנסו:`,
    }),
  conflict: (count: number) =>
    many(count, {
      one: 'בינתיים מישהו אחר הזין ציון שונה לתלמיד אחד. צריך לבחור איזה נשאר.',
      two: 'בינתיים מישהו אחר הזין ציונים שונים לשני תלמידים. צריך לבחור אילו נשארים.',
      other: `בינתיים מישהו אחר הזין ציונים שונים ל־${count} תלמידים. צריך לבחור אילו נשארים.`,
    }),
  decideFor: (name: string) => `איזה ציון של ${isolate(name)} נשאר`,
  theirs: (score: string) => `נשמר בינתיים: ${isolate(score)}`,
  nothing: 'אין ציון',
  takeTheirs: 'לקחת אותו',
  keepMine: 'להשאיר את שלי',
}
