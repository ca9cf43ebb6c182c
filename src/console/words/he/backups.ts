import { isolate } from '../../../shared/isolate.ts'
import type { backups as english } from '../en/backups.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const backups: typeof english = {
  title: 'גיבויים',
  about: 'כל גיבוי מכיל הכול: אנשים, כספים, קבצים ומפתחות השרת.',
  make: 'גיבוי עכשיו',
  making: 'הגיבוי נוצר…',
  next: (moment) => `הגיבוי הבא ייווצר מעצמו: ${isolate(moment)}.`,
  noNightly: 'לא נוצר גיבוי מעצמו. כדאי ליצור אחד לפחות פעם בשבוע.',
  alsoElsewhere: 'כל גיבוי מועתק גם למקום אחר.',
  notElsewhere: 'לא הצלחנו להעתיק את הגיבוי האחרון למקום האחר. יש לומר זאת למי שמטפל בשרת.',
  failed: (moment) => `הגיבוי שהתחיל ${isolate(moment)} נכשל. אפשר לנסות שוב; פרטים בדף ״השרת״.`,
  late: 'הגיבוי האחרון ישן מדי, או שהניסיון האחרון נכשל. פרטים בדף ״השרת״.',
  elsewhere: 'מסד הנתונים של השרת הזה הוא Postgres, והוא מגובה בנפרד: אפשר לשאול את מי שמטפל בו.',
  kept: 'הגיבויים שיש',
  none: 'עדיין אין. אפשר ליצור את הראשון עכשיו.',
  kinds: {
    nightly: 'של הלילה',
    before_upgrade: 'לפני גרסה חדשה',
    before_restore: 'לפני שחזור',
    asked: 'לפי בקשה',
    brought: 'הובא לכאן',
  },
  megabytes: (size) => `‎${size} MB`,
  students: (count) => many(count, { one: 'תלמיד אחד', two: 'שני תלמידים', other: `${count} תלמידים` }),
  damaged: 'לא ניתן לקריאה',
  download: 'הורדה',
  downloadOf: (moment) => `הורדה: ${moment}`,
  downloadTitle: (moment) => `הורדת הגיבוי של ${isolate(moment)}`,
  downloadText: 'מי שהקובץ הזה בידו מחזיק בהכול. כדאי לשמור אותו במקום שרק לכם יש גישה אליו, למשל בכונן במגירה נעולה.',
  keepElsewhere: 'הגיבויים נמצאים על אותו מחשב. כדאי להוריד אחד מדי פעם ולשמור במקום אחר: שריפה או גנב לוקחים את כולם.',
}
