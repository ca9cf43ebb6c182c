import type { proposals as english } from '../en/proposals.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

export const proposals: typeof english = {
  own: 'بياناتنا',
  ownAbout: 'بياناتكم كما هي مسجّلة لدينا. هل فيها خطأ؟ اطلبوا من المكتب تعديلها.',
  details: 'البيانات',
  none: 'لا بيانات مسجّلة لكم بعد.',
  note: 'ملاحظة للمكتب',
  propose: 'طلب تعديل',
  proposeOf: (name) => `طلب تعديل: ${isolate(name)}`,
  proposeFor: (name) => `تعديل بيانات ${isolate(name)}`,
  follows: 'يراجع المكتب الطلب ونخبركم بالنتيجة. لا يتغيّر شيء قبل ذلك.',
  send: 'إرسال',
  sent: 'أُرسل الطلب إلى المكتب.',
  nothing: 'لا فرق بينه وبين ما هو مسجّل.',
  waiting: 'بانتظار مراجعة المكتب:',
  takeBack: 'سحب الطلب',
  takenBack: 'سُحب الطلب ولم يتغيّر شيء.',
  accepted: (fields) => `عُدّل كما طلبتم: ${fields}`,
  left: (fields) => `لم يتغيّر: ${fields}`,
  declined: (fields) => `لم يعدّل المكتب: ${fields}`,
  remark: (remark) => `ملاحظة المكتب: ${isolate(remark)}`,
  address: 'العنوان',
  phoneMissing: 'رقم الهاتف ناقص.',
  title: 'طلبات تعديل البيانات',
  about: 'لا يتغيّر شيء قبل موافقتكم.',
  nobody: 'لا طلبات بانتظار الموافقة.',
  by: (name) => `من ${isolate(name)}`,
  byRelation: (name, relation) => `من ${isolate(name)} (${relation})`,
  was: 'المسجّل الآن',
  proposed: 'المطلوب',
  changedSince: 'تغيّر لدينا في هذه الأثناء',
  accept: 'موافقة',
  acceptSome: (count) =>
    many(count, {
      zero: 'موافقة',
      one: 'موافقة على واحد',
      two: 'موافقة على اثنين',
      few: `موافقة على ${count} منها`,
      many: `موافقة على ${count} منها`,
      other: `موافقة على ${count} منها`,
    }),
  acceptOf: (name) => `الموافقة على تعديل ${isolate(name)}`,
  decline: 'رفض',
  declineOf: (name) => `رفض تعديل ${isolate(name)}`,
  declineTitle: (name) => `إبقاء بيانات ${isolate(name)} كما هي؟`,
  declineFollows: 'تقرأ العائلة ما تكتبونه هنا.',
  takenOver: (name) => `عُدّلت بيانات ${isolate(name)}، وستُبلَّغ العائلة.`,
  leftAlone: (name) => `بقيت بيانات ${isolate(name)} كما هي، وستُبلَّغ العائلة.`,
  changedMeanwhile: 'تغيّرت البيانات في هذه الأثناء. هذا ما هي عليه الآن، راجعوها مرة أخرى.',
  need: (count) =>
    many(count, {
      zero: 'لا طلبات لتعديل البيانات',
      one: 'طلب واحد من عائلة لتعديل بياناتها',
      two: 'طلبان من العائلات لتعديل البيانات',
      few: `${count} طلبات من العائلات لتعديل البيانات`,
      many: `${count} طلبًا من العائلات لتعديل البيانات`,
      other: `${count} طلب من العائلات لتعديل البيانات`,
    }),
}
