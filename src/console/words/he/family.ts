import type { family as english } from '../en/family.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const family: typeof english = {
  otherGuardians: 'הורים נוספים',
  guardiansOf: (names) => `של ${names}`,
  invite: 'הזמנה לפתיחת חשבון',
  inviteOf: (name) => `הזמנה לפתיחת חשבון: ${isolate(name)}`,
  inviteAbout: 'בחשבון אישי המשפחות רואות את השיעורים, הנוכחות, הדוחות ודרישות התשלום של ילדיהן.',
  inviteSends: 'כל הורה מקבל דוא״ל עם קישור חד־פעמי שפועל 7 ימים.',
  inviteSent: (name) => `ההזמנה אל ${isolate(name)} נשלחה.`,
  hasAccount: 'יש חשבון',
  inviteFamilies: 'הזמנת משפחות',
  inviteGroup: (group) => `הזמנת המשפחות של ${isolate(group)}`,
  accountsThere: (count) =>
    many(count, {
      one: 'להורה אחד כבר יש חשבון.',
      two: 'לשני הורים כבר יש חשבון.',
      other: `ל־${count} הורים כבר יש חשבון.`,
    }),
  accountsInvited: (count) =>
    many(count, {
      one: 'הזמנה אחת ממתינה לאישור.',
      two: 'שתי הזמנות ממתינות לאישור.',
      other: `${count} הזמנות ממתינות לאישור.`,
    }),
  withoutAddress: (names) => `ללא כתובת דוא״ל: ${names}`,
  nobodyToInvite: 'לא נותר את מי להזמין.',
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
  seesLearning: 'רואה את השיעורים, הנוכחות, הציונים והדוחות ומקבל/ת עליהם הודעות',
  seesMoney: 'רואה את התשלומים והחובות',
  sightHint:
    'להורים שחיים בנפרד: מה שכבוי כאן לא מוצג להורה הזה ולא נשלחות לו עליו הודעות. מי שמשלם רואה תמיד את התשלומים.',
  noLearning: 'לא רואה לימודים',
  noMoney: 'לא רואה תשלומים',
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
  average: (share) => `ממוצע ${isolate(share)}`,
  waitsUntil: (when: string) => `ממתינה עד ${isolate(when)}`,
}
