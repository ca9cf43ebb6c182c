import type { lesson as english } from '../en/lesson.ts'
import { isolate } from '../../../shared/isolate.ts'

export const lesson: typeof english = {
  title: 'השיעור הזה',
  last: (day) => `השיעור הקודם, ${isolate(day)}`,
  goTo: 'נושא ושיעורי בית',
  topic: 'נושא השיעור',
  topicHint: 'התלמידים והמשפחות רואים את הנושא ואת שיעורי הבית.',
  homework: 'שיעורי בית',
  dueOn: 'להגשה עד',
  dueNext: (day) => `לשיעור הבא, ${isolate(day)}`,
  dueToday: 'להגשה היום',
  due: (day) => `להגשה ב־${isolate(day)}`,
  dueBefore: 'מועד ההגשה לא יכול להיות לפני השיעור.',
  note: 'הערה',
  noteHint: 'לצוות בלבד. המשפחות לא רואות אותה.',
  save: 'שמירת השיעור',
  saved: 'השיעור נשמר.',
  meanwhile: (text) => `בינתיים נכתב כאן על ידי מישהו אחר: ${isolate(text)}`,
  cleared: 'בינתיים מישהו אחר מחק את מה שהיה כאן.',
  none: 'עדיין לא נכתב כלום.',
}
