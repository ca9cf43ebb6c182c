import { headKey, headsOfStudent, STUDENT_HEADS, type StudentColumn } from '#shared/student-heads.ts'
import type { Field, FieldType } from './field.ts'
import { GUARDIAN_FIELDS } from './guardian-fields.ts'
import type { ImportKind } from './tables.ts'

const field = (name: string, type: FieldType, ...heads: string[]): Field => ({ name, type, heads })

const ofStudents = (name: StudentColumn, type: FieldType): Field => ({ name, type, heads: STUDENT_HEADS[name] })

const WHO_THEY_ARE = [ofStudents('firstName', 'text'), ofStudents('lastName', 'text')]

const REACHED_BY = [
  ofStudents('phone', 'phone'),
  field(
    'email',
    'email',
    'Email',
    'E-mail',
    'Email address',
    'Mail',
    'البريد الإلكتروني',
    'الإيميل',
    'إيميل',
    'بريد إلكتروني',
    'דוא״ל',
    'אימייל',
    'מייל',
    'דואר אלקטרוני',
    'כתובת מייל',
  ),
]

const BRANCH = field('branch', 'text', 'Branch', 'School', 'Campus', 'الفرع', 'فرع', 'סניף', 'שלוחה')
const STUDENT_NUMBER = ofStudents('studentNumber', 'number')
const NATIONAL_ID = ofStudents('nationalId', 'identity')
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
  'تاريخ ميلاد',
  'تاريخ الولادة',
  'الميلاد',
  'תאריך לידה',
  'ת. לידה',
  'תאריך לידה לועזי',
)

const NAMES = ofStudents('fullName', 'text')

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
      'عنوان السكن',
      'مكان السكن',
      'عنوان',
      'الشارع',
      'כתובת',
      'כתובת מגורים',
      'רחוב ומספר בית',
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
      'القرية',
      'עיר',
      'יישוב',
      'יישוב מגורים',
      'ישוב מגורים',
      'עיר מגורים',
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
    {
      ...field(
        'group',
        'text',
        'Group',
        'Group name',
        'Class',
        'Course class',
        'Section',
        'المجموعة',
        'اسم المجموعة',
        'الصف',
        'الشعبة',
        'קבוצה',
        'כיתה',
        'שם הקבוצה',
        'חוג',
        'שם החוג',
      ),
      // Beside the group it is the class that the child is in at school.
      looseHeads: ['Class', 'الصف', 'כיתה'],
    },
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

/** What a field of the student's own may be called in a list that has guardians too. */
const ofStudent = (kind: ImportKind, { name, heads }: Field): string[] => {
  const isOwn = kind !== 'staff' && !GUARDIAN_FIELDS.some((one) => one.name === name)
  return isOwn ? headsOfStudent(heads) : []
}

const byHead = new Map<ImportKind, ReadonlyMap<string, string>>()

/** The field of each head that is known. */
const headsOf = (kind: ImportKind): ReadonlyMap<string, string> => {
  const known = byHead.get(kind)
  if (known) return known
  const heads = new Map<string, string>()
  const add = (name: string, written: readonly string[]): void => {
    for (const head of written) if (!heads.has(headKey(head))) heads.set(headKey(head), name)
  }
  for (const { name, heads: written } of FIELDS[kind]) add(name, [name, ...written])
  for (const own of FIELDS[kind]) add(own.name, ofStudent(kind, own))
  byHead.set(kind, heads)
  return heads
}

/** The field that a head says. */
export const fieldOfHead = (kind: ImportKind, head: string): string | undefined => headsOf(kind).get(headKey(head))

/** Whether a head means something else where another column says the same. */
export const isLoose = (kind: ImportKind, head: string): boolean =>
  FIELDS[kind].some(({ looseHeads = [] }) => looseHeads.some((loose) => headKey(loose) === headKey(head)))
