import { acts as arActs } from './act-words/ar.ts'
import { acts as enActs } from './act-words/en.ts'
import { acts as heActs } from './act-words/he.ts'
import * as arCodes from './code-words/ar.ts'
import * as enCodes from './code-words/en.ts'
import * as heCodes from './code-words/he.ts'
import type { Locale } from './locale.ts'
import { roles as arRoles } from './role-words/ar.ts'
import { roles as enRoles } from './role-words/en.ts'
import { roles as heRoles } from './role-words/he.ts'

/** All the words of the history. */
export type AuditWords = typeof enActs & typeof enCodes & { roles: typeof enRoles }

/** In each language: for the server, since a browser loads one of them alone. */
export const AUDIT_WORDS: Readonly<Record<Locale, AuditWords>> = {
  ar: { ...arActs, ...arCodes, roles: arRoles },
  en: { ...enActs, ...enCodes, roles: enRoles },
  he: { ...heActs, ...heCodes, roles: heRoles },
}
