import type { website as english } from '../en/website.ts'
import { isolate } from '../../../shared/isolate.ts'

export const website: typeof english = {
  title: 'טופס באתר שלכם',
  about: 'משפחות ממלאות אותו באתר שלכם, והפרטים מגיעים לרשימת הפניות.',
  isOpen: 'משפחות יכולות להירשם באתר',
  isOpenAbout: 'כשזה כבוי, הטופס מודיע שההרשמה סגורה.',
  opened: 'מעכשיו משפחות יכולות להירשם באתר.',
  closed: 'מעכשיו הטופס באתר מודיע שההרשמה סגורה.',
  add: 'הוספה לאתר',
  site: 'כתובת האתר שלכם',
  siteHint: 'הטופס פועל באתר הזה בלבד.',
  siteWrong: 'יש להקליד את כתובת האתר, למשל www.example.org.',
  makeLine: 'הכנת השורה להעתקה',
  line: 'מדביקים את השורה הזו במקום שבו יופיע הטופס',
  lineHint: 'מי שמטפל באתר יודע לעשות זאת. השורה מוצגת רק עכשיו: אם היא אבדה, מסיימים אותה כאן למטה ומכינים חדשה.',
  near: (address) =>
    `כתובת השרת היא ${isolate(address)}, ומבקרים באתר לא יכולים להגיע אליה. הטופס יפעל כשתהיה לשרת כתובת https משלו.`,
  preview: 'כך זה ייראה',
  sites: 'אתרים שבהם הוא מופיע',
  sitesNone: 'עדיין לא מופיע באף אתר.',
  neverUsed: 'עדיין לא נפתח שם',
  lastUsed: (moment) => `שימוש אחרון: ${isolate(moment)}`,
  end: 'סיום',
  endOf: (site) => `סיום הטופס באתר ${isolate(site)}`,
  endTitle: (site) => `לסיים את הטופס באתר ${isolate(site)}?`,
  endText: 'הטופס שם יפסיק לפעול מיד ולתמיד. הפניות שהגיעו דרכו נשארות.',
  ended: (site) => `הטופס באתר ${isolate(site)} הסתיים.`,
}
