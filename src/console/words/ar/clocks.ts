import type { clocks as english } from '../en/clocks.ts'
import { isolate } from '../../../shared/isolate.ts'

export const clocks: typeof english = {
  differ: (here, server) =>
    `ساعة هذا الجهاز تشير إلى ${isolate(here)}، وساعة الخادم تشير إلى ${isolate(server)}. قارنوهما بساعة هاتف، واضبطوا الخاطئة منهما لتأخذ الوقت من الشبكة: فمواعيد الاستحقاق والتحديثات وشهادات الأمان تسير بحسب ساعة الخادم.`,
}
