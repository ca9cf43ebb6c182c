import { fold } from './text.ts'

/*
 * How lists of students write over their columns: for lists that come in as files, and those that are pasted. The heads
 * are those of this program's own files in three languages, what schools here write over their lists, and those of the
 * import templates of Gibbon and RosarioSIS.
 */

/** `firstName`, `FIRST_NAME`, `First  Name:` and `first name` are one head, and so are `Parent1` and `Parent 1`. */
export const headKey = (head: string): string =>
  fold(head.replaceAll(/(\p{Ll})(\p{Lu})|(\p{L})(\p{N})/gu, '$1$3 $2$4'))
    .replaceAll(/['\u2019]s\b/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** By what a row says who a student is. */
export const STUDENT_HEADS = {
  studentNumber: [
    'Student number',
    'Student ID',
    'RosarioSIS ID',
    'Student no',
    'Number',
    'رقم الطالب',
    'מספר תלמיד',
    'מס תלמיד',
  ],
  firstName: ['First name', 'Given name', 'Preferred name', 'الاسم الأول', 'الاسم الشخصي', 'שם פרטי'],
  lastName: ['Last name', 'Surname', 'Family name', 'اسم العائلة', 'العائلة', 'الكنية', 'שם משפחה', 'משפחה'],
  fullName: [
    'Name',
    'Full name',
    'Official name',
    'Student',
    'User to enroll',
    'الاسم',
    'اسم',
    'الاسم الكامل',
    'الاسم الرباعي',
    'الاسم الثلاثي',
    'اسم الطالب الرباعي',
    'اسم الطالب رباعي',
    'اسم الطالب',
    'الطالب',
    'שם',
    'שם מלא',
    'שם פרטי ומשפחה',
    'תלמיד',
    'תלמיד/ה',
  ],
  nationalId: [
    'National ID',
    'National ID card number',
    'Identity number',
    'ID number',
    'ID card',
    'Social security',
    'Passport',
    'رقم الهوية',
    'رقم هوية',
    'رقم بطاقة الهوية',
    'الرقم الوطني',
    'الهوية',
    'هوية',
    'מספר זהות',
    'תעודת זהות',
    'ת.ז',
    'תז',
    'מס זהות',
    'מס ת.ז',
    'מספר ת.ז',
    'מספר תעודת זהות',
  ],
  phone: [
    'Phone',
    'Phone 1',
    'Phone number',
    'Mobile',
    'Mobile phone',
    'Cell phone',
    'الهاتف',
    'رقم الهاتف',
    'هاتف',
    'الجوال',
    'جوال',
    'رقم هاتف',
    'رقم الجوال',
    'رقم جوال',
    'موبايل',
    'رقم الموبايل',
    'تلفون',
    'رقم التلفون',
    'טלפון',
    'טלפון נייד',
    'נייד',
    'מספר טלפון',
    'מס טלפון',
    'פלאפון',
    'סלולרי',
    'טלפון סלולרי',
  ],
} as const

export type StudentColumn = keyof typeof STUDENT_HEADS

const OF_STUDENT = [
  'student',
  'pupil',
  'תלמיד',
  'התלמיד',
  'של התלמיד',
  'תלמיד/ה',
  'התלמיד/ה',
  'الطالب',
  'الطالبة',
  'الطالب/ة',
]

/** A list that has guardians says of what is the student's own whose it is: `Student phone`, `נייד תלמיד/ה`. */
export const headsOfStudent = (heads: readonly string[]): string[] =>
  heads.flatMap((head) => OF_STUDENT.flatMap((who) => [`${head} ${who}`, `${who} ${head}`]))

/** A head without what it adds in brackets: `Birth date (day/month/year)`. */
export const withoutBrackets = (head: string): string => head.replaceAll(/[([][^)\]]*[)\]]/g, ' ')
