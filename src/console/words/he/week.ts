import type { week as english } from '../en/week.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

const students = (count: number) => many(count, { one: 'תלמיד אחד', two: 'שני תלמידים', other: `${count} תלמידים` })

export const week: typeof english = {
  title: 'שבוע',
  previous: 'השבוע הקודם',
  next: 'השבוע הבא',
  today: 'היום',
  days: 'ימי השבוע',
  lessons: (count) => many(count, { one: 'שיעור אחד', two: 'שני שיעורים', other: `${count} שיעורים` }),
  ownLessons: 'השיעורים שלי',
  anyTeacher: 'כל המורים',
  anyRoom: 'כל החדרים',
  anyGroup: 'כל הקבוצות',
  room: 'חדר',
  group: 'קבוצה',
  noLessonsDay: 'אין שיעורים ביום הזה.',
  noLessons: 'אין שיעורים בשבוע הזה.',
  showAll: 'הצגת כל השיעורים',
  notAll: (count) => `מוצגים ${isolate(count)} השיעורים הראשונים של השבוע. בחירת מורה או חדר תציג את השאר.`,
  clashes: (count) => many(count, { one: 'התנגשות אחת', two: 'שתי התנגשויות', other: `${count} התנגשויות` }),
  clash: 'התנגשות',
  clashWith: {
    teacher: (group, times) => `המורה מלמד/ת אז גם ב${isolate(group)}, ${isolate(times)}`,
    room: (group, times) => `החדר תפוס: ${isolate(group)}, ${isolate(times)}`,
    student: (group, times) => `יש תלמידים שרשומים גם ב${isolate(group)}, ${isolate(times)}`,
  },
  often: (count, first) =>
    `${many(count, { one: 'פעם אחת', two: 'פעמיים', other: `${count} פעמים` })}, לראשונה ב־${isolate(first)}`,
  anotherLesson: 'שיעור אחר',
  cancelled: 'בוטל',
  notMarked: 'הנוכחות לא נרשמה',
  now: 'עכשיו',
  continued: 'מהיום הקודם',
  noTeacher: 'עדיין אין מורה',
  openGroup: 'לדף הקבוצה',
  students,
  move: 'העברה למועד אחר',
  moveTitle: (group) => `העברת שיעור של ${isolate(group)}`,
  date: 'תאריך',
  starts: 'התחלה',
  ends: 'סיום',
  endFirst: 'הסיום חייב להיות אחרי ההתחלה.',
  missing: 'צריך לבחור מועד.',
  moves: (count) =>
    many(count, {
      one: 'שיעור אחד של תלמיד אחד יעבור למועד אחר.',
      two: 'שיעור אחד של שני תלמידים יעבור למועד אחר.',
      other: `שיעור אחד של ${count} תלמידים יעבור למועד אחר.`,
    }),
  movesTold: 'הודעה תישלח אליהם, אל ההורים שלהם ואל המורה.',
  isPast: 'המועד הזה כבר עבר.',
  free: 'המורה והחדר פנויים אז.',
  moveIt: 'העברת השיעור',
  moved: (group, when) => `המועד של ${isolate(group)} הוא עכשיו ${isolate(when)}.`,
  back: 'חזרה',
  cancel: 'ביטול השיעור',
  cancelTitle: (group) => `ביטול שיעור של ${isolate(group)}`,
  reason: 'סיבה',
  reasonHint: 'היא תופיע בהודעה לכולם.',
  missingReason: 'צריך לכתוב סיבה, כדי שאיש לא יצטרך לשאול.',
  tells: (count) =>
    many(count, {
      one: 'הודעה תישלח לתלמיד, להורים ולמורה.',
      two: 'הודעה תישלח לשני תלמידים, להוריהם ולמורה.',
      other: `הודעה תישלח ל־${count} תלמידים, להוריהם ולמורה.`,
    }),
  tellsTeacher: 'אין אף אחד בקבוצה: הודעה תישלח רק למורה.',
  cancelLasts: 'שיעור שבוטל נשאר מבוטל. אפשר להוסיף שיעור אחר בהמשך.',
  wasCancelled: (group) => `השיעור של ${isolate(group)} בוטל.`,
  substitute: 'החלפת מורה',
  correctTeacher: 'מי לימד/ה',
  substituteTitle: (group) => `מי מעביר/ה את השיעור של ${isolate(group)}?`,
  correctTitle: (group) => `מי העביר/ה את השיעור של ${isolate(group)}?`,
  ownTeacher: 'המורה של הקבוצה',
  teacherFree: 'פנוי/ה במועד הזה.',
  substituted: (name, group) => `השיעור של ${isolate(group)} עם ${isolate(name)}.`,
  ownAgain: (group) => `השיעור של ${isolate(group)} עם המורה של הקבוצה.`,
}
