import { isolateLeftToRight, unbroken } from '#shared/isolate.ts'
import type { PayWords } from './pay-words.ts'

export const ar: PayWords = {
  paid: (number) => `فاتورة ${number}`,
  due: {
    title: (number) => `الدفع بالبطاقة: فاتورة ${unbroken(number)}`,
    text: (amount, date) =>
      `المبلغ المطلوب: ${amount}، حتى ${date}. تُدخل بيانات البطاقة في صفحة شركة الدفع فقط، ولا يراها المعهد.`,
    button: 'الدفع بالبطاقة',
  },
  going: { title: 'صفحة الدفع تُفتح', text: 'إذا لم تُفتح الصفحة من تلقاء نفسها، اضغطوا الزر.', button: 'متابعة' },
  done: { title: 'تم الدفع، شكرًا', text: (number) => `تم استلام الدفعة. إيصال رقم ${isolateLeftToRight(number)}.` },
  settled: { title: 'لا يوجد مبلغ للدفع', text: (number) => `الفاتورة ${isolateLeftToRight(number)} مدفوعة.` },
  void: { title: 'لا يوجد مبلغ للدفع', text: (number) => `أُلغيت الفاتورة ${isolateLeftToRight(number)}.` },
  waiting: {
    title: 'لم يتأكد الدفع بعد',
    text: 'إذا دفعتم للتو، يصل التأكيد خلال بضع دقائق. لا تدفعوا مرة أخرى؛ هذه الصفحة تتحقق من جديد تلقائيًا.',
  },
  off: { title: 'الدفع بالبطاقة غير متاح', text: 'يُرجى التواصل مع المعهد للدفع بطريقة أخرى.' },
  failed: {
    title: 'لم تُفتح صفحة الدفع',
    text: 'لم يُدفع شيء. حاولوا مرة أخرى بعد قليل، أو تواصلوا مع المعهد للدفع بطريقة أخرى.',
  },
}
