import type { Endpoint } from '#kernel/contract/endpoint.ts'
import type { Locale } from '#shared/locale.ts'
import { ar } from './ar.ts'
import { en } from './en.ts'
import { he } from './he.ts'
import type { Titles } from './titles.ts'

const TITLES: Readonly<Record<Locale, Titles>> = { ar, en, he }

/** Of the longest name of a sheet. */
const MOST = 31

/** `students` of `/students`, `invoices` of `/students/{id}/invoices`. */
const codeOf = (path: string): string =>
  path
    .split('/')
    .at(-1)
    ?.replaceAll(/[^a-z-]/g, '')
    .slice(0, MOST) || 'list'

/** What a list is called, in the reader's language and in letters that every program reads. */
export const titleOf = ({ path }: Endpoint, locale: Locale): { title: string; code: string } => {
  const code = codeOf(path)
  // Where somebody is signed in has nothing to do with lessons.
  const titles: Titles = path.startsWith('/auth/') ? {} : TITLES[locale]
  return { title: titles[code] ?? code, code }
}
