import type { lesson as english } from '../en/lesson.ts'
import { isolate } from '../../../shared/isolate.ts'

export const lesson: typeof english = {
  title: 'هذه الحصة',
  last: (day) => `الحصة السابقة، ${isolate(day)}`,
  goTo: 'الموضوع والواجب',
  topic: 'موضوع الحصة',
  topicHint: 'يمكن للطلاب وعائلاتهم قراءة الموضوع والواجب.',
  homework: 'الواجب',
  dueOn: 'موعد التسليم',
  dueNext: (day) => `للحصة القادمة، ${isolate(day)}`,
  dueToday: 'تسليمه اليوم',
  due: (day) => `التسليم ${isolate(day)}`,
  dueBefore: 'لا يمكن أن يكون موعد التسليم قبل الحصة.',
  note: 'ملاحظة',
  noteHint: 'لطاقم المعهد فقط، ولا تراها العائلات.',
  save: 'حفظ الحصة',
  saved: 'حُفظت الحصة.',
  meanwhile: (text) => `كتب شخص آخر هنا في هذه الأثناء: ${isolate(text)}`,
  cleared: 'مسح شخص آخر ما كان هنا في هذه الأثناء.',
  none: 'لم يُكتب شيء بعد.',
}
