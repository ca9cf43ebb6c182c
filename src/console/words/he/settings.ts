import type { settings as english } from '../en/settings.ts'

export const settings: typeof english = {
  title: 'הגדרות',
  items: {
    institute: {
      title: 'המכון',
      text: 'שם, שפה, לוגו וצבע, תקופות השנה והטקסט בתחתית החשבונות.',
    },
    branches: { title: 'סניפים', text: 'המקומות שבהם מלמדים, עם כתובת וטלפון.' },
    people: { title: 'אנשים ותפקידים', text: 'מי יכול להיכנס, ומה כל אחד יכול לעשות.' },
    website: { title: 'טופס באתר שלכם', text: 'שורה אחת לאתר, שדרכה משפחות נרשמות בעצמן.' },
    mail: { title: 'דוא״ל', text: 'מאיזו תיבה יוצאות הזמנות, חשבונות והודעות, עם בדיקה.' },
    backups: { title: 'גיבויים', text: 'עותקים של הכול: אלה שיש, ועוד אחד מתי שרוצים.' },
    server: { title: 'השרת', text: 'האם הכול תקין בו, והרישיון שלו.' },
  },
  toDo: {
    noLogo: 'עדיין אין לוגו',
    alone: 'עדיין לא הוזמן איש',
    noForm: 'עדיין לא שם',
    formOff: 'כבוי',
    noMail: 'לא יוצא דוא״ל',
    noBackup: 'עדיין אין',
    backupWrong: 'כדאי לבדוק',
  },
}
