import { isolate } from '../../../shared/isolate.ts'
import type { merge as english } from '../en/merge.ts'

/** Two records of one person that become one. */
export const merge: typeof english = {
  mergeWith: 'איחוד עם…',
  title: (name) => `איחוד עם ${isolate(name)}`,
  about: 'כשלאדם אחד יש שתי רשומות: חפשו את השנייה. היא תיעלם, וכל מה שקשור אליה יעבור לכאן.',
  find: 'הרשומה השנייה',
  sideBySide: 'שתי הרשומות',
  stays: 'נשארת',
  goes: 'נעלמת',
  moves: (what) => `עובר לכאן: ${what}`,
  against: (what) => `קיים בשתיהן; הסירו קודם אחד מהשניים: ${what}`,
  merge: 'איחוד',
  look: 'מה יקרה',
  done: 'שתי הרשומות הן עכשיו אחת.',
  what: {
    enrollment: 'רישומים לקבוצות',
    attendance: 'נוכחות',
    invoice: 'חשבונות',
    receipt: 'קבלות',
    exam_result: 'ציוני בחינות',
    progress_report: 'דוחות התקדמות',
    fee_charge: 'חיובים שנעשו',
    course_enrollment: 'גישה לקורסים',
    guardian_link: 'הורה וילד',
    lead: 'פניות',
    file: 'קבצים',
    notification: 'הודעות',
    imported_balance: 'יתרות פתיחה',
    person_invitation: 'הזמנות',
    merged_record: 'רשומות שאוחדו קודם',
    account: 'חשבונות משתמש',
  },
}
