import { isLocale, type Locale } from '../../shared/locale.ts'

/** What the page itself says of the institute, before anybody has signed in. */
export interface InstituteOfPage {
  name: string
  locale: Locale
  color: string | null
}

/** undefined: the server has several, and this address belongs to none. */
export const instituteOfPage = ((): InstituteOfPage | undefined => {
  const written = document.querySelector<HTMLMetaElement>('meta[name="institute"]')?.content ?? 'null'
  const institute = JSON.parse(written) as InstituteOfPage | null
  return institute && isLocale(institute.locale) ? institute : undefined
})()
