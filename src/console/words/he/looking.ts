import type { looking as english } from '../en/looking.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const looking: typeof english = {
  begin: 'תצוגה לפי תפקיד',
  titleOf: (role) => `המערכת כפי שרואים אותה בתפקיד ${isolate(role)}`,
  about: 'כך רואה את המערכת מי שמקבל את התפקיד עכשיו, לרבע שעה ובלשונית הזאת בלבד. בינתיים אי אפשר לשנות דבר.',
  whole: 'כל המכון',
  verb: 'הצגה',
  as: (role, branch) =>
    branch === undefined
      ? `זו התצוגה של התפקיד ${isolate(role)}: אי אפשר לשנות דבר.`
      : `זו התצוגה של התפקיד ${isolate(role)} (${isolate(branch)}): אי אפשר לשנות דבר.`,
  left: (minutes) => many(minutes, { one: 'נותרה דקה אחת.', two: 'נותרו 2 דקות.', other: `נותרו ${minutes} דקות.` }),
  ofTeacher: 'מורים מוצאים כאן את הקבוצות והשיעורים שלהם. בתצוגה הזאת אין לכם קבוצות.',
  teacherDay: 'מורים מוצאים כאן את השיעורים שלהם היום, קודם את זה שמתקיים עכשיו, ורושמים בכל אחד נוכחות.',
  ofGuardian: 'הורים מוצאים כאן את הילדים שלהם. בתצוגה הזאת אין לכם ילדים.',
  ofStudent: 'תלמידים מוצאים כאן את הקבוצות, הציונים והחשבוניות שלהם. בתצוגה הזאת אין לכם כאלה.',
  end: 'סיום',
  over: 'התצוגה לפי התפקיד הסתיימה: הזמן עבר, או שהתפקיד או ההרשאות שלכם השתנו. מעכשיו שוב עובדים בשמכם.',
  noAccount: 'לכל אחד יש כאן חשבון משלו: שם, סיסמה, מכשירים. החשבון שלכם לא מוצג בתצוגה לפי תפקיד.',
}
