import type { proposals as english } from '../en/proposals.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const proposals: typeof english = {
  own: 'הפרטים שלנו',
  ownAbout: 'הפרטים שלכם כפי שהם רשומים אצלנו. משהו לא נכון? אפשר לבקש מהמזכירות לעדכן.',
  details: 'פרטים',
  none: 'עדיין לא רשומים אצלנו פרטים שלכם.',
  note: 'הערה למזכירות',
  propose: 'בקשה לעדכון',
  proposeOf: (name) => `בקשה לעדכון: ${isolate(name)}`,
  proposeFor: (name) => `עדכון הפרטים של ${isolate(name)}`,
  follows: 'המזכירות בודקת את הבקשה, ונודיע לכם מה הוחלט. עד אז שום דבר לא משתנה.',
  send: 'שליחה',
  sent: 'הבקשה נשלחה למזכירות.',
  nothing: 'לא שונה דבר מהפרטים הרשומים.',
  waiting: 'ממתין לבדיקת המזכירות:',
  takeBack: 'ביטול הבקשה',
  takenBack: 'הבקשה בוטלה. שום דבר לא השתנה.',
  accepted: (fields) => `עודכן לפי בקשתכם: ${fields}`,
  left: (fields) => `לא שונה: ${fields}`,
  declined: (fields) => `המזכירות לא שינתה: ${fields}`,
  remark: (remark) => `הערת המזכירות: ${isolate(remark)}`,
  address: 'כתובת',
  phoneMissing: 'חסר מספר טלפון.',
  title: 'בקשות לעדכון פרטים',
  about: 'שום דבר לא משתנה לפני האישור שלכם.',
  nobody: 'אין בקשות שממתינות.',
  by: (name) => `מאת ${isolate(name)}`,
  byRelation: (name, relation) => `מאת ${isolate(name)} (${relation})`,
  was: 'רשום כעת',
  proposed: 'מבוקש',
  changedSince: 'השתנה אצלנו בינתיים',
  accept: 'אישור',
  acceptSome: (count) =>
    many(count, { one: 'אישור של פרט אחד', two: 'אישור של 2 פרטים', other: `אישור של ${count} פרטים` }),
  acceptOf: (name) => `אישור העדכון של ${isolate(name)}`,
  decline: 'דחייה',
  declineOf: (name) => `דחייה: העדכון של ${isolate(name)}`,
  declineTitle: (name) => `להשאיר את הפרטים של ${isolate(name)} כפי שהם?`,
  declineFollows: 'המשפחה תקרא את מה שייכתב כאן.',
  takenOver: (name) => `הפרטים של ${isolate(name)} עודכנו, והמשפחה תקבל על כך הודעה.`,
  leftAlone: (name) => `הפרטים של ${isolate(name)} נשארו כפי שהם, והמשפחה תקבל על כך הודעה.`,
  changedMeanwhile: 'הפרטים השתנו בינתיים. כך הם כעת, וכדאי לבדוק שוב.',
  need: (count) =>
    many(count, {
      one: 'בקשה אחת לעדכון פרטים ממשפחה',
      two: '2 בקשות לעדכון פרטים ממשפחות',
      other: `${count} בקשות לעדכון פרטים ממשפחות`,
    }),
}
