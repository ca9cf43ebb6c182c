import { fold } from '#shared/text.ts'
import type { Field, FieldType } from './field.ts'
import { GUARDIAN_FIELDS } from './guardian-fields.ts'
import type { ImportKind } from './tables.ts'

const field = (name: string, type: FieldType, ...heads: string[]): Field => ({ name, type, heads })

/*
 * The heads are those of this program's own files in three languages, what schools here write over their lists, and
 * those of the import templates of Gibbon and RosarioSIS.
 */

const WHO_THEY_ARE = [
  field('firstName', 'text', 'First name', 'Given name', 'Preferred name', 'الاسم الأول', 'الاسم الشخصي', 'שם פרטי'),
  field(
    'lastName',
    'text',
    'Last name',
    'Surname',
    'Family name',
    'اسم العائلة',
    'العائلة',
    'الكنية',
    'שם משפחה',
    'משפחה',
  ),
]

const REACHED_BY = [
  field(
    'phone',
    'phone',
    'Phone',
    'Phone 1',
    'Phone number',
    'Mobile',
    'Mobile phone',
    'Cell phone',
    'Student phone',
    'الهاتف',
    'رقم الهاتف',
    'هاتف',
    'الجوال',
    'جوال',
    'هاتف الطالب',
    'رقم الجوال',
    'טלפון',
    'טלפון נייד',
    'נייד',
    'מספר טלפון',
    'טלפון תלמיד',
  ),
  field(
    'email',
    'email',
    'Email',
    'E-mail',
    'Email address',
    'Mail',
    'Student email',
    'البريد الإلكتروني',
    'الإيميل',
    'بريد إلكتروني',
    'דוא״ל',
    'אימייל',
    'מייל',
    'דואר אלקטרוני',
    'כתובת מייל',
  ),
]

const BRANCH = field('branch', 'text', 'Branch', 'School', 'Campus', 'الفرع', 'فرع', 'סניף', 'שלוחה')
const STUDENT_NUMBER = field(
  'studentNumber',
  'number',
  'Student number',
  'Student ID',
  'RosarioSIS ID',
  'Student no',
  'Number',
  'رقم الطالب',
  'الرقم التسلسلي',
  'מספר תלמיד',
  'מס תלמיד',
)
const NATIONAL_ID = field(
  'nationalId',
  'identity',
  'National ID',
  'National ID card number',
  'Identity number',
  'ID number',
  'ID card',
  'Social security',
  'Passport',
  'رقم الهوية',
  'الهوية',
  'هوية',
  'מספר זהות',
  'תעודת זהות',
  'ת.ז',
  'תז',
  'מס זהות',
)
const BIRTH_DATE = field(
  'birthDate',
  'birthDate',
  'Birth date',
  'Birthdate',
  'Date of birth',
  'Birthday',
  'Born',
  'DOB',
  'تاريخ الميلاد',
  'تاريخ الولادة',
  'الميلاد',
  'תאריך לידה',
  'ת. לידה',
)

const NAMES = field(
  'fullName',
  'text',
  'Name',
  'Full name',
  'Student name',
  'Official name',
  'Student',
  'User to enroll',
  'الاسم',
  'الاسم الكامل',
  'اسم الطالب',
  'الطالب',
  'שם',
  'שם מלא',
  'שם התלמיד',
  'שם תלמיד',
  'תלמיד',
  'תלמיד/ה',
)

/** By what a row names a student who is there already. */
const WHOSE = [STUDENT_NUMBER, NATIONAL_ID, NAMES, ...WHO_THEY_ARE, REACHED_BY[0] as Field, BIRTH_DATE]

const FIELDS: Readonly<Record<ImportKind, readonly Field[]>> = {
  students: [
    STUDENT_NUMBER,
    ...WHO_THEY_ARE,
    NAMES,
    NATIONAL_ID,
    ...REACHED_BY,
    BIRTH_DATE,
    field('gender', 'gender', 'Gender', 'Sex', 'الجنس', 'מגדר', 'מין'),
    field('status', 'studentStatus', 'Status', 'الحالة', 'סטטוס', 'מצב'),
    BRANCH,
    field(
      'line1',
      'text',
      'Address',
      'Address 1',
      'Street',
      'Home address',
      'Address line 1',
      'العنوان',
      'عنوان',
      'الشارع',
      'כתובת',
      'רחוב',
    ),
    field(
      'city',
      'text',
      'City',
      'Town',
      'Address city',
      'Address 1 district',
      'Home address district',
      'المدينة',
      'البلد',
      'البلدة',
      'עיר',
      'יישוב',
      'ישוב',
    ),
    field('tags', 'tags', 'Tags', 'Labels', 'وسوم', 'الوسوم', 'תגיות', 'תגים'),
    field('notes', 'text', 'Notes', 'Comments', 'Remarks', 'ملاحظات', 'ملاحظة', 'הערות', 'הערה'),
    ...GUARDIAN_FIELDS,
    field('knownPhone', 'knownPhone', 'Known phone', 'Guardian’s known phone', 'هاتف معروف', 'טלפון מוכר'),
  ],
  staff: [
    ...WHO_THEY_ARE,
    {
      ...NAMES,
      heads: [
        ...NAMES.heads,
        'Teacher',
        'Staff',
        'Staff name',
        'المعلم',
        'اسم المعلم',
        'الموظف',
        'מורה',
        'שם המורה',
        'שם העובד',
      ],
    },
    ...REACHED_BY,
    field(
      'title',
      'text',
      'Title',
      'Job title',
      'Position',
      'Role',
      'Profile',
      'الوظيفة',
      'المسمى الوظيفي',
      'المنصب',
      'תפקיד',
    ),
    BRANCH,
    field('isActive', 'yesNo', 'Active', 'Is active', 'فعال', 'פעיל'),
  ],
  enrollments: [
    ...WHOSE,
    field(
      'group',
      'text',
      'Group',
      'Group name',
      'Class',
      'Course class',
      'Section',
      'المجموعة',
      'الصف',
      'الشعبة',
      'קבוצה',
      'כיתה',
      'שם הקבוצה',
    ),
    field('course', 'text', 'Course', 'Course name', 'Subject', 'الدورة', 'المساق', 'קורס', 'מקצוע'),
    field(
      'enrolledAt',
      'date',
      'Enrolled on',
      'Enrolled',
      'Start date',
      'Enrollment date',
      'Attendance start date',
      'تاريخ التسجيل',
      'تاريخ الانضمام',
      'תאריך רישום',
      'נרשם ב',
      'תאריך הצטרפות',
    ),
    field('price', 'amount', 'Price', 'Fee', 'Tuition', 'السعر', 'الرسوم', 'القسط', 'מחיר', 'שכר לימוד', 'תשלום'),
  ],
  balances: [
    ...WHOSE,
    field(
      'balance',
      'amount',
      'Balance',
      'Opening balance',
      'Amount',
      'Debt',
      'Owed',
      'Due amount',
      'المبلغ المتبقي',
      'الرصيد',
      'المبلغ',
      'الدين',
      'المستحق',
      'יתרה',
      'יתרת פתיחה',
      'חוב',
      'סכום',
      'יתרה לתשלום',
    ),
    field('currency', 'currency', 'Currency', 'العملة', 'מטבע'),
    field('dueDate', 'date', 'Due', 'Due date', 'تاريخ الاستحقاق', 'לתשלום עד', 'מועד תשלום'),
    field('description', 'text', 'Description', 'Title', 'Comments', 'الوصف', 'البيان', 'תיאור', 'פירוט'),
  ],
}

export const fieldsOf = (kind: ImportKind): readonly Field[] => FIELDS[kind]

/** `firstName`, `FIRST_NAME`, `First  Name:` and `first name` are one head. */
export const headKey = (head: string): string =>
  fold(head.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replaceAll(/['\u2019]s\b/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const byHead = new Map<ImportKind, ReadonlyMap<string, string>>()

/** The field of each head that is known. */
export const headsOf = (kind: ImportKind): ReadonlyMap<string, string> => {
  const known = byHead.get(kind)
  if (known) return known
  const heads = new Map<string, string>()
  for (const { name, heads: written } of FIELDS[kind]) {
    for (const head of [name, ...written]) if (!heads.has(headKey(head))) heads.set(headKey(head), name)
  }
  byHead.set(kind, heads)
  return heads
}
