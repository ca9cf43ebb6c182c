import type { history as english } from '../en/history.ts'
import { acts } from '../../../shared/act-words/ar.ts'

export const history: typeof english = {
  title: 'سجل التغييرات',
  about: 'يُسجَّل كل تغيير هنا، ولا يستطيع أحد تعديل ما سُجّل.',
  none: 'لم يحدث شيء يطابق ذلك.',
  who: 'من',
  anybody: 'الجميع',
  what: 'ماذا',
  anything: 'كل شيء',
  from: 'من يوم',
  to: 'حتى يوم',
  filters: 'من وماذا ومتى',
  clear: 'عرض كل شيء',
  onlyThis: 'هذا فقط',
  ofOne: 'يظهر هنا ما حدث لسجل واحد فقط.',
  open: 'فتح',
  ...acts,
}
