import type { settings as english } from '../en/settings.ts'

export const settings: typeof english = {
  title: 'הגדרות',
  items: {
    institute: {
      title: 'המכון',
      text: 'שם, שפה, לוגו וצבע, תקופות השנה והטקסט בתחתית דרישות התשלום.',
    },
    branches: { title: 'סניפים', text: 'המקומות שבהם מלמדים, עם כתובת וטלפון.' },
    people: { title: 'אנשים ותפקידים', text: 'מי יכול להיכנס, ומה כל אחד יכול לעשות.' },
    messages: { title: 'הודעות ונוסחים', text: 'על מה מודיעים, באילו מילים ודרך איזה ספק.' },
    website: { title: 'טופס באתר שלכם', text: 'שורה אחת לאתר, שדרכה משפחות נרשמות בעצמן.' },
    mail: { title: 'דוא״ל', text: 'התיבה שממנה נשלחות הזמנות, דרישות תשלום והודעות, ובדיקה שלה.' },
    card: { title: 'תשלום בכרטיס אשראי', text: 'משפחות משלמות דרישות תשלום בדף של חברת סליקה.' },
    backups: { title: 'גיבויים', text: 'עותקים של הכול: אלה שכבר נוצרו, ועוד אחד בכל עת.' },
    server: { title: 'השרת', text: 'האם הכול תקין, והרישיון.' },
  },
  toDo: {
    noLogo: 'עדיין אין לוגו',
    alone: 'עדיין לא הוזמן איש',
    noForm: 'עדיין לא באתר',
    formOff: 'כבוי',
    noMail: 'הדוא״ל אינו פעיל',
    noBackup: 'עדיין אין',
    backupWrong: 'כדאי לבדוק',
  },
}
