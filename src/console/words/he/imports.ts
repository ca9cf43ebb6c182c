import { importLabels, importNotes, importReasons } from '../../../shared/import-words/he.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'
import type { imports as english } from '../en/imports.ts'

const many = plural('he')

/** Lists that come in as files. */
export const imports: typeof english = {
  title: 'ייבוא רשימה',
  about: 'תלמידים עם הורים, צוות, רישומים או יתרות פתיחה, מאקסל או מתוכנה אחרת.',
  kind: 'מה יש ברשימה?',
  kinds: { students: 'תלמידים והורים', staff: 'צוות', enrollments: 'רישומים לקבוצות', balances: 'יתרות פתיחה' },
  choose: 'בחירת קובץ',
  hint: 'טבלה כפי שאקסל או תוכנת גיליונות אחרת שומרת אותה. עדיין לא משתנה דבר.',
  wrongType: 'בחרו קובץ אקסל (‎.xlsx), CSV או טבלה שתוכנה אחרת שומרת.',
  tooLarge: 'הקובץ גדול מ־20 מגה־בייט. חלקו אותו.',
  reading: 'הקובץ נקרא…',
  columns: 'עמודות',
  columnsAbout: 'מה מכילה כל עמודה בקובץ.',
  notRead: 'לא נקראת',
  again: 'בדיקה מחדש',
  would: 'מה יקרה',
  happened: 'מה קרה',
  wouldBe: { created: 'ייווספו', updated: 'ישתנו', unchanged: 'יישארו ללא שינוי', refused: 'יידחו' },
  were: { created: 'נוספו', updated: 'השתנו', unchanged: 'ללא שינוי', refused: 'נדחו' },
  onlyWhole: 'רק אם אף שורה לא נדחית',
  run: (rows) => many(rows, { one: 'ייבוא שורה אחת', two: 'ייבוא שתי שורות', other: `ייבוא ${rows} שורות` }),
  running: (done, all) => `${isolate(done)} מתוך ${isolate(all)} שורות`,
  nothing: 'אין מה לייבא בקובץ הזה.',
  faults: 'שורות לתיקון',
  row: (row) => `שורה ${isolate(row)}`,
  firstOnes: 'אלה 100 הראשונות. כולן נמצאות בקובץ השורות שנדחו.',
  refusedFile: 'הורדת השורות',
  mend: 'תקנו בקובץ את השורות שנדחו ובחרו אותו שוב: מה שכבר קיים לא משתנה.',
  another: 'בחירת קובץ אחר',
  done: 'הרשימה יובאה.',
  failed: 'לא יובא דבר.',
  open: 'ייבוא',
  branch: 'הסניף של שורות שלא כתוב בהן סניף',
  anyName: 'לקשר את מי שהטלפון רשום אצלו, גם אם השם שונה',
  told: 'כדאי לדעת',
  preview: 'השורות הראשונות, כפי שיישמרו',
  becomes: { created: 'חדש', updated: 'משתנה', unchanged: 'ללא שינוי', refused: 'נדחה' },
  genders: { male: 'זכר', female: 'נקבה', other: 'אחר' },
  known: (names) => `כבר רשום: ${isolate(names)}`,
  labels: importLabels,
  reasons: importReasons,
  notes: importNotes,
}
