import type { directory as english } from '../en/directory.ts'
import { isolate } from '../../../shared/isolate.ts'

export const directory: typeof english = {
  which: 'أي قائمة',
  students: 'الطلاب',
  guardians: 'أولياء الأمور',
  order: 'الترتيب',
  orders: { name: 'حسب اسم العائلة', newest: 'الأحدث أولًا' },
  filters: 'تصفية',
  filtersOn: (count) => `تصفية (${isolate(count)})`,
  columns: 'الأعمدة',
  column: {
    name: 'الاسم',
    groups: 'المجموعات',
    phone: 'الهاتف',
    balance: 'المستحق',
    number: 'الرقم',
    branch: 'الفرع',
    children: 'الأبناء',
    email: 'البريد الإلكتروني',
  },
  guardianSearch: 'الاسم أو الهاتف أو البريد الإلكتروني',
  noGuardians: 'لا أولياء أمور في القائمة بعد. يُضافون مع الأبناء الذين تسجّلونهم.',
  noGuardianFound: 'لا أحد يطابق. جرّبوا حروفًا أقل.',
  allGuardians: 'عرض جميع أولياء الأمور',
}
