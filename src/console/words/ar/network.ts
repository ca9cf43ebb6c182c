import type { network as english } from '../en/network.ts'
import { isolate } from '../../../shared/isolate.ts'

export const network: typeof english = {
  title: 'حواسيب وهواتف أخرى',
  about: 'من هنا يفتح البرنامجَ المعلّمون والمكتب وكل من في المبنى. لا حاجة إلى تثبيت أي شيء.',
  print: 'طباعة الملصق',
  poster: 'ملصق',
  code: (url) => `رمز يفتح ${isolate(url)}`,
  join: 'اتصلوا بشبكة الواي فاي الخاصة بالمعهد.',
  scan: 'وجّهوا كاميرا الهاتف إلى الرمز.',
  type: 'أو اكتبوا هذا في أعلى المتصفح:',
  or: 'أو',
  also: 'ويُفتح أيضًا على',
  ofName: 'باسمه. تجده الأجهزة الحديثة على الشبكة نفسها، وقد لا تجده الهواتف القديمة.',
  ofNetwork: 'على الشبكة نفسها.',
  ofAll: 'من كل مكان.',
  none: 'لا يعرف هذا الخادم على أي عنوان يصل إليه الآخرون. المسؤول عنه يحدد العنوان (INSTITUTE_BASE_URL).',
}
