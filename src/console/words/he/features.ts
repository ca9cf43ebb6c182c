import { featureTitles } from '../../../shared/code-words/he.ts'
import { isolate } from '../../../shared/isolate.ts'
import type { features as english } from '../en/features.ts'

export const features: typeof english = {
  about: 'כל בחירה חלה מיד על כל המכון. מה שכבר נרשם נשאר גם אחרי כיבוי.',
  on: (name) => `${isolate(name)}: פעיל.`,
  off: (name) => `${isolate(name)}: כבוי.`,
  address: 'הכתובת לעוזר הדיגיטלי',
  addressHint: 'מקלידים אותה בעוזר הדיגיטלי, תחת ”חיבור“ או ”שרת MCP“. הוא יבקש מכל אדם להיכנס ולאשר.',
  guide: 'איך מחברים עוזר דיגיטלי (באנגלית)',
  allGrants: 'עוזרים דיגיטליים שהורשו',
  noGrants: 'עוד לא הורשה אף עוזר דיגיטלי.',
  inNameOf: (name) => `בשם ${isolate(name)}`,
  inNameAs: (name, roles) => `בשם ${isolate(name)}: מותר לו מה שמותר לתפקיד (${isolate(roles)})`,
  each: {
    mcp: {
      title: featureTitles.mcp,
      text: 'מי שתרשו יוכל לעבוד דרך עוזר דיגיטלי: לחפש, לסמן נוכחות, לכתוב דרישות תשלום. העוזר לא יכול לעשות יותר מהאדם עצמו, ושואל לפני שינוי בכספים או שליחה.',
    },
    courses_video: {
      title: featureTitles.courses_video,
      text: 'שיעורים לצפייה בבית: המשרד מרכיב אותם, והמשפחות צופות ומסמנות מה נצפה.',
    },
    basic_reports: { title: featureTitles.basic_reports, text: 'הערכות לתלמידים, תעודות ודפי חשבון, למשרד ולמשפחות.' },
    advanced_reports: {
      title: featureTitles.advanced_reports,
      text: 'העמודים שתחת ”דוחות“: נוכחות, הכנסות, חובות, רישום ושעות מורים.',
    },
    integration_api: {
      title: featureTitles.integration_api,
      text: 'מפתחות לתוכנות אחרות, עדכון שלהן, והטופס באתר שלכם.',
    },
    sms_notifications: {
      title: featureTitles.sms_notifications,
      text: 'הודעות SMS למשפחות, דרך ספק שמגדירים תחת ”הודעות ונוסחים“.',
    },
    whatsapp_notifications: {
      title: featureTitles.whatsapp_notifications,
      text: 'הודעות WhatsApp למשפחות, דרך ספק שמגדירים תחת ”הודעות ונוסחים“.',
    },
    byo_email_provider: {
      title: featureTitles.byo_email_provider,
      text: 'ההודעות למשפחות יוצאות דרך שירות לכמויות גדולות של דוא״ל, במקום מהתיבה.',
    },
    byo_push_provider: {
      title: featureTitles.byo_push_provider,
      text: 'הודעות לאפליקציה של המכון בטלפונים של המשפחות.',
    },
  },
}
