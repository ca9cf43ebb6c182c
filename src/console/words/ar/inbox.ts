import type { inbox as english } from '../en/inbox.ts'

export const inbox: typeof english = {
  title: 'الإشعارات',
  readAll: 'تحديد الكل كمقروء',
  allRead: 'حُدّدت كلها كمقروءة.',
  isNew: 'جديد',
  emptyTitle: 'لا جديد',
  emptyText: 'يظهر هنا ما يُعلمكم به المعهد: حصص ملغاة ونتائج وفواتير ورسائل.',
}
