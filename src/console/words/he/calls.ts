import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'
import type { calls as shape } from '../en/calls.ts'

const many = plural('he')

export const calls: typeof shape = {
  title: 'רשימת שיחות',
  about: 'משפחות שיש להן טלפון ואף הודעה לא מגיעה אליהן. מי שמודיעים להן מסמנים, כדי שלא יודיעו פעמיים.',
  see: 'לרשימת השיחות',
  states: { open: 'טרם הודיעו', told: 'הודיעו', not_needed: 'אין צורך' },
  stateLabel: 'מצב',
  anyState: 'כולם',
  none: 'אין למי להתקשר.',
  noneFound: 'אין אף אחד במצב הזה.',
  ofMessage: 'מהודעה אחת',
  noPhone: 'אין עוד מספר טלפון בכרטיס.',
  call: (name) => `שיחה אל ${isolate(name)}`,
  whatsapp: 'WhatsApp',
  sms: 'SMS',
  copy: 'העתקת הנוסח',
  copied: 'הנוסח הועתק.',
  told: 'הודענו',
  toldOf: (name) => `סומן שהודיעו: ${isolate(name)}.`,
  more: (name) => `עוד על ${isolate(name)}`,
  otherwise: 'הודענו בדרך אחרת',
  allTold: 'הודענו לכולם',
  allToldTitle: 'הודיעו לכל מי שברשימה הזאת?',
  allToldAbout: 'למשל בקבוצת ההורים ב־WhatsApp. מי שכבר סומן נשאר כפי שהוא.',
  allToldHow: 'איך הודיעו',
  allAreTold: (count) =>
    many(count, {
      one: 'סומן שהודיעו לאדם אחד.',
      two: 'סומן שהודיעו לשני אנשים.',
      other: `סומן שהודיעו ל־${count} אנשים.`,
    }),
  onlyThis: 'כל מי שבהודעה הזאת',
  notNeeded: 'אין צורך להודיע',
  leftOut: (name) => `ירד מהרשימה: ${isolate(name)}.`,
  again: 'החזרה לרשימה',
  toldBy: (name, how, when) => `${isolate(name)}, ${how}, ${isolate(when)}`,
  leftOutBy: (name, when) => `${isolate(name)}, ${isolate(when)}`,
  ways: { call: 'בטלפון', whatsapp: 'ב־WhatsApp', sms: 'ב־SMS', other: 'בדרך אחרת' },
  alreadyTold: (name, how, when) => `כבר הודיעו להם: ${isolate(name)}, ${how}, ${isolate(when)}.`,
  canCall: (count) =>
    many(count, {
      one: 'לאחד מהם יש טלפון ואפשר להתקשר',
      two: 'לשניים מהם יש טלפון ואפשר להתקשר',
      other: `ל־${count} מהם יש טלפון ואפשר להתקשר`,
    }),
  toCall: 'להוסיף אותם לרשימת השיחות',
  cannot: (count) =>
    many(count, {
      one: 'לאדם אחד אין כתובת וגם לא טלפון',
      two: 'לשני אנשים אין כתובת וגם לא טלפון',
      other: `ל־${count} אנשים אין כתובת וגם לא טלפון`,
    }),
  onlyCall: (count) =>
    many(count, { one: 'הוספת אדם אחד לרשימה', two: 'הוספת שני אנשים לרשימה', other: `הוספת ${count} אנשים לרשימה` }),
  onlyCallTitle: (count) =>
    many(count, {
      one: 'להוסיף אדם אחד לרשימת השיחות?',
      two: 'להוסיף שני אנשים לרשימת השיחות?',
      other: `להוסיף ${count} אנשים לרשימת השיחות?`,
    }),
  onlyCallVerb: 'הוספה לרשימה',
  listed: (count) =>
    many(count, {
      one: 'אדם אחד ברשימת השיחות.',
      two: 'שני אנשים ברשימת השיחות.',
      other: `${count} אנשים ברשימת השיחות.`,
    }),
  listedTitle: 'נוספו לרשימה',
  putOn: (count) =>
    many(count, {
      one: 'הוספת אחד לרשימת השיחות',
      two: 'הוספת שניים לרשימת השיחות',
      other: `הוספת ${count} לרשימת השיחות`,
    }),
  areListed: 'מי שיש להם טלפון נמצאים ברשימת השיחות.',
  noMailbox: 'לא הוגדרה תיבת דוא״ל: הודעות הדוא״ל ממתינות עד שתהיה.',
  setUpMailbox: 'הגדרת תיבת דוא״ל',
  allReached: (people) =>
    many(people, {
      one: 'ההודעה תגיע לאדם היחיד.',
      two: 'ההודעה תגיע לשני האנשים.',
      other: `ההודעה תגיע לכל ${people} האנשים.`,
    }),
  someReached: (reached, people) =>
    reached === 0 ? `ההודעה לא תגיע לאף אחד מ־${people} האנשים.` : `ההודעה תגיע ל־${reached} מתוך ${people} אנשים.`,
  willCall: (count) =>
    many(count, {
      one: 'לאחד מהם יש רק טלפון, והוא יהיה ברשימת השיחות.',
      two: 'לשניים מהם יש רק טלפון, והם יהיו ברשימת השיחות.',
      other: `ל־${count} מהם יש רק טלפון, והם יהיו ברשימת השיחות.`,
    }),
  waitingMails: (count) =>
    many(count, {
      one: 'הודעת דוא״ל אחת ממתינה: לא הוגדרה תיבת דוא״ל.',
      two: 'שתי הודעות דוא״ל ממתינות: לא הוגדרה תיבת דוא״ל.',
      other: `${count} הודעות דוא״ל ממתינות: לא הוגדרה תיבת דוא״ל.`,
    }),
  toMake: (count) => many(count, { one: 'שיחה אחת למשפחה', two: 'שתי שיחות למשפחות', other: `${count} שיחות למשפחות` }),
}
