import type { edit as english } from '../en/edit.ts'
import { isolate } from '../../../shared/isolate.ts'

export const edit: typeof english = {
  none: 'غير معروف',
  empty: 'لا يوجد',
  change: (what) => `تعديل: ${what}`,
  notAccepted: 'لا يمكن حفظه كما هو. تحققوا مما كتبتم.',
  missing: 'لا يمكن أن يبقى فارغًا.',
  notNumber: 'اكتبوا رقمًا.',
  conflict: (now) => `غيّره شخص آخر في هذه الأثناء. هو الآن: ${isolate(now)}`,
  conflictEmpty: 'أفرغه شخص آخر في هذه الأثناء.',
  saveMine: 'حفظ ما كتبتُه',
}
