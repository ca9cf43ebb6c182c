import type { network as english } from '../en/network.ts'
import { isolate } from '../../../shared/isolate.ts'

export const network: typeof english = {
  title: 'מחשבים וטלפונים אחרים',
  about: 'כאן פותחים את התוכנה המורים, המשרד וכל מי שנמצא במבנה. לא צריך להתקין כלום.',
  print: 'הדפסת השלט',
  poster: 'שלט',
  code: (url) => `קוד שמוביל אל ${isolate(url)}`,
  join: 'מתחברים ל־Wi-Fi של המקום.',
  scan: 'מכוונים את מצלמת הטלפון אל הקוד.',
  type: 'או מקלידים בשורה העליונה של הדפדפן:',
  or: 'או',
  also: 'נפתחת גם בכתובת',
  ofName: 'לפי שם. מכשירים חדשים מוצאים אותו באותה רשת; טלפונים ישנים לא תמיד.',
  ofNetwork: 'באותה רשת.',
  ofAll: 'מכל מקום.',
  none: 'השרת הזה לא יודע באיזו כתובת מגיעים אליו. מי שמטפל בו קובע את הכתובת (INSTITUTE_BASE_URL).',
}
