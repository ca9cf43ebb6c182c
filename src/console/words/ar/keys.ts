import type { keys as english } from '../en/keys.ts'

export const keys: typeof english = {
  title: 'مفاتيح توفّر الوقت',
  space: 'المسافة',
  everywhere: {
    title: 'في كل صفحة',
    does: {
      find: 'البحث عن شخص أو مجموعة أو رقم',
      list: 'هذه القائمة',
      toMessage: 'الانتقال إلى الرسالة التي ظهرت للتو',
      close: 'إغلاق نافذة أو قائمة',
    },
  },
  lists: {
    title: 'في القوائم',
    does: {
      move: 'إلى السطر التالي أو السابق',
      ends: 'إلى السطر الأول أو الأخير',
      choose: 'اختيار السطر',
      open: 'فتح السطر',
    },
  },
  attendance: {
    title: 'عند تسجيل الحضور',
    does: {
      mark: 'حاضر، غائب، متأخر، غياب بعذر',
      note: 'ملاحظة',
      next: 'إلى الطالب التالي',
      save: 'حفظ',
    },
  },
  editing: {
    title: 'عند تعديل معلومة',
    does: {
      save: 'حفظ',
      saveLong: 'حفظ في حقل متعدد الأسطر',
      takeBack: 'تركها كما كانت',
    },
  },
}
