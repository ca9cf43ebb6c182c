import type { keys as english } from '../en/keys.ts'

export const keys: typeof english = {
  title: 'מקשים שחוסכים זמן',
  space: 'רווח',
  everywhere: {
    title: 'בכל דף',
    does: {
      find: 'חיפוש אדם, קבוצה או מספר',
      list: 'הרשימה הזאת',
      toMessage: 'מעבר להודעה שהופיעה זה עתה',
      close: 'סגירת חלון או תפריט',
    },
  },
  lists: {
    title: 'ברשימות',
    does: {
      move: 'לשורה הבאה או הקודמת',
      ends: 'לשורה הראשונה או האחרונה',
      choose: 'בחירת השורה',
      open: 'פתיחת השורה',
    },
  },
  attendance: {
    title: 'ברישום נוכחות',
    does: {
      mark: 'הגיע, נעדר, איחר, היעדרות מוצדקת',
      note: 'הערה',
      next: 'לתלמיד הבא',
      save: 'שמירה',
    },
  },
  editing: {
    title: 'בשינוי פרט',
    does: {
      save: 'שמירה',
      saveLong: 'שמירה בשדה של כמה שורות',
      takeBack: 'השארת המצב הקודם',
    },
  },
}
