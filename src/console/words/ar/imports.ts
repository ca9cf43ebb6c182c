import { importLabels, importNotes, importReasons } from '../../../shared/import-words/ar.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'
import type { imports as english } from '../en/imports.ts'

const many = plural('ar')

/** Lists that come in as files. */
export const imports: typeof english = {
  title: 'استيراد قائمة',
  about: 'طلاب مع أولياء أمورهم، أو موظفون، أو تسجيلات، أو أرصدة افتتاحية، من إكسل أو من برنامج آخر.',
  kind: 'ماذا في القائمة؟',
  kinds: { students: 'طلاب وأولياء أمور', staff: 'موظفون', enrollments: 'تسجيلات', balances: 'أرصدة افتتاحية' },
  choose: 'اختيار ملف',
  hint: 'جدول كما يحفظه إكسل أو برنامج جداول آخر. لا يتغير شيء بعد.',
  wrongType: 'اختاروا ملف إكسل (.xlsx) أو CSV أو جدولًا يحفظه برنامج آخر.',
  tooLarge: 'الملف أكبر من 20 ميغابايت. قسّموه.',
  reading: 'جارٍ قراءة الملف…',
  columns: 'الأعمدة',
  columnsAbout: 'ما في كل عمود من الملف.',
  notRead: 'لا يُقرأ',
  again: 'إعادة الفحص',
  would: 'ما الذي سيحدث',
  happened: 'ما الذي حدث',
  wouldBe: { created: 'ستُضاف', updated: 'ستتغيّر', unchanged: 'ستبقى كما هي', refused: 'ستُرفض' },
  were: { created: 'أُضيفت', updated: 'تغيّرت', unchanged: 'بقيت كما هي', refused: 'رُفضت' },
  onlyWhole: 'فقط إذا لم يُرفض أي سطر',
  run: (rows) =>
    many(rows, {
      zero: 'استيراد 0 سطر',
      one: 'استيراد سطر واحد',
      two: 'استيراد سطرين',
      few: `استيراد ${rows} سطور`,
      many: `استيراد ${rows} سطرًا`,
      other: `استيراد ${rows} سطر`,
    }),
  running: (done, all) => `${isolate(done)} من ${isolate(all)} سطر`,
  nothing: 'لا شيء في هذا الملف للاستيراد.',
  faults: 'سطور تحتاج إلى تصحيح',
  row: (row) => `السطر ${isolate(row)}`,
  firstOnes: 'هذه أول 100. ملف السطور المرفوضة يضمها كلها.',
  refusedFile: 'تنزيل السطور',
  mend: 'صحّحوا السطور المرفوضة في الملف واختاروه مجددًا: ما هو موجود لا يتغير.',
  another: 'اختيار ملف آخر',
  done: 'تم استيراد القائمة.',
  failed: 'لم يُستورد شيء.',
  open: 'استيراد',
  branch: 'فرع السطور التي لا تذكر فرعًا',
  anyName: 'ربط صاحب هاتف وليّ الأمر حتى لو اختلف الاسم',
  told: 'للعلم',
  preview: 'أول السطور كما ستُحفظ',
  becomes: { created: 'جديد', updated: 'يتغيّر', unchanged: 'كما هو', refused: 'مرفوض' },
  genders: { male: 'ذكر', female: 'أنثى', other: 'غير ذلك' },
  known: (names) => `موجود من قبل: ${isolate(names)}`,
  ofStudent: { phone: 'هاتف الطالب', email: 'بريد الطالب' },
  whose: (column) => `العمود «${isolate(column)}» يخصّ مَن؟`,
  student: 'الطالب',
  alike: 'في كل السطور:',
  moreRows: (count) => `عرض السطور الأولى كلها (${isolate(count)})`,
  labels: importLabels,
  reasons: importReasons,
  notes: importNotes,
}
