import type { Field, FieldType } from './field.ts'

/** The guardians that a row may hold beside its student. */
export const GUARDIANS = ['guardian', 'guardian2', 'mother', 'father'] as const
export type GuardianSlot = (typeof GUARDIANS)[number]

const WHO: Readonly<Record<GuardianSlot, readonly string[]>> = {
  guardian: [
    'guardian',
    'guardian 1',
    'parent',
    'parent 1',
    'contact',
    'وليّ الأمر',
    'وليّ أمر',
    'وليّ أمر الطالب',
    'הורה',
    'ההורה',
    'הורה 1',
    'הורה ראשון',
    'הורים',
    'איש קשר',
    'אפוטרופוס',
  ],
  guardian2: [
    'guardian 2',
    'parent 2',
    'second parent',
    'وليّ الأمر 2',
    'وليّ الأمر الثاني',
    'הורה 2',
    'הורה שני',
    'הורה נוסף',
  ],
  mother: ['mother', 'mom', 'الأم', 'الوالدة', 'אם', 'האם', 'אמא'],
  father: ['father', 'dad', 'الأب', 'الوالد', 'אב', 'האב', 'אבא'],
}

interface Part {
  type: FieldType
  words: readonly string[]
  /** The words for who it is name it already: a column `Mother` holds her name. */
  alone?: true
}

const PARTS: Readonly<Record<string, Part>> = {
  FirstName: { type: 'text', words: ['first name', 'preferred name', 'الاسم الأول', 'שם פרטי'] },
  LastName: { type: 'text', words: ['last name', 'surname', 'family name', 'اسم عائلة', 'שם משפחה'] },
  Name: { type: 'text', words: ['name', 'full name', 'اسم', 'שם', 'שם מלא'], alone: true },
  Phone: {
    type: 'phone',
    words: [
      'phone',
      'phone 1',
      'phone number',
      'mobile',
      'cell',
      'هاتف',
      'رقم هاتف',
      'جوال',
      'رقم جوال',
      'موبايل',
      'رقم موبايل',
      'تلفون',
      'رقم تلفون',
      'رقم',
      'טלפון',
      'נייד',
      'טלפון נייד',
      'מספר טלפון',
      'מס טלפון',
      'טל',
      'טל נייד',
      'מספר נייד',
      'מס נייד',
      'פלאפון',
      'סלולרי',
    ],
  },
  Email: {
    type: 'email',
    words: ['email', 'e mail', 'mail', 'بريد', 'البريد الإلكتروني', 'إيميل', 'דוא״ל', 'מייל', 'אימייל'],
  },
  Relationship: {
    type: 'relationship',
    words: ['relationship', 'relation', 'صلة قرابة', 'قرابة', 'صلة', 'صفة', 'קרבה', 'קשר'],
  },
}

const hasPart = (slot: GuardianSlot, part: string): boolean =>
  part !== 'Relationship' || slot === 'guardian' || slot === 'guardian2'

/** Whose name a field holds, if it is that of a guardian. */
export const guardianOf = (field: string): GuardianSlot | undefined =>
  GUARDIANS.find((slot) => ['FirstName', 'LastName', 'Name'].some((part) => field === slot + part))

/** Whether rows of a file add guardians: each has a phone. */
export const hasGuardians = (reader: { has(field: string): boolean }): boolean =>
  GUARDIANS.some((slot) => reader.has(`${slot}Phone`))

/** `guardianFirstName`, `guardianPhone`, `motherName` and so on. */
export const GUARDIAN_FIELDS: readonly Field[] = GUARDIANS.flatMap((slot) =>
  Object.entries(PARTS)
    .filter(([part]) => hasPart(slot, part))
    .map(([part, { type, words, alone }]) => ({
      name: slot + part,
      type,
      heads: [
        ...WHO[slot].flatMap((who) => words.flatMap((word) => [`${word} ${who}`, `${who} ${word}`])),
        ...(alone ? WHO[slot] : []),
        ...(part === 'Relationship' && slot === 'guardian' ? ['Relationship', 'صلة القرابة', 'קרבה'] : []),
      ],
    })),
)
