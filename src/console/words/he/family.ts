import type { family as english } from '../en/family.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const family: typeof english = {
  otherGuardians: 'הורים נוספים',
  guardiansOf: (names) => `של ${names}`,
  messages: 'הודעות',
  noMessages: 'עדיין לא נשלחו אליהם הודעות.',
  states: {
    queued: 'בדרך',
    sent: 'נשלחה',
    failed: 'לא נמסרה',
    skipped: 'לא נשלחה',
  },
  attended: (share) => `נוכחות ${share} ב־30 יום`,
  addGuardian: 'קישור הורה',
  addChild: 'קישור ילד',
  linkTitle: (student) => `הורה של ${isolate(student)}`,
  childTitle: (guardian) => `ילד של ${isolate(guardian)}`,
  find: 'שם או טלפון של ההורה',
  noneFound: 'אין התאמה. כדאי לנסות פחות אותיות, או להוסיף.',
  already: 'כבר מקושר',
  newGuardian: 'הורה חדש',
  add: 'הוספה',
  relation: (guardian, student) => `הקשר של ${isolate(guardian)} אל ${isolate(student)}`,
  choose: 'בחירה…',
  missingRelation: 'יש לבחור.',
  pays: 'משלם/ת עבור התלמיד',
  first: 'איש קשר ראשי',
  marksHint: 'רק הורה אחד משלם, ורק אחד הוא איש הקשר הראשי: סימון כאן מבטל את הסימון הקודם.',
  link: 'קישור',
  linked: (guardian, student) => `קושרו: ${isolate(guardian)}, ${isolate(student)}.`,
  changed: (guardian) => `נשמר: ${isolate(guardian)}`,
  change: 'שינוי הקשר',
  unlink: 'ביטול הקישור',
  unlinkTitle: (guardian, student) => `לבטל את הקישור בין ${isolate(guardian)} ל־${isolate(student)}?`,
  unlinkText: 'ההורה לא יקבל עוד הודעות על התלמיד. שניהם נשארים ברשימות.',
  unlinkPayer: 'ההורה לא יקבל עוד הודעות על התלמיד, ועד שייבחר הורה אחר לא רשום מי משלם. שניהם נשארים ברשימות.',
  unlinked: (guardian, student) => `הקישור בין ${isolate(guardian)} ל־${isolate(student)} בוטל.`,
  noNextLesson: 'לא נקבע שיעור',
  report: (from, to) => `דוח, ${isolate(`${from} – ${to}`)}`,
  average: (share) => `ממוצע ${isolate(share)}`,
  earlierReports: (count) =>
    many(count, { one: 'דוח קודם אחד', two: 'שני דוחות קודמים', other: `${count} דוחות קודמים` }),
  waitsUntil: (when: string) => `ממתינה עד ${isolate(when)}`,
}
