import type { Locale } from '#shared/locale.ts'
import type { ErrorSpec } from '#kernel/values/errors.ts'
import type { Content } from '#kernel/values/media.ts'
import type { FindInstitute } from './institute-of-host.ts'
import { smallPage } from './small-page.ts'
import type { Refused } from './words/en.ts'
import { WORDS } from './words/index.ts'

/** Refusals that have a page of their own, by their names. */
const OWN_PAGES: Readonly<Record<string, Refused>> = {
  address_refused: 'ended',
  opt_out_link_refused: 'incomplete',
  tenant_suspended: 'closed',
}

const kindOf = ({ name, status }: Pick<ErrorSpec, 'name' | 'status'>): Refused => {
  const own = OWN_PAGES[name]
  if (own) return own
  if (status === 401) return 'private'
  return status >= 500 || status === 429 ? 'failed' : 'nothing'
}

/**
 * Makes the pages of refusals that people see, in their language.
 * @param findInstitute is not asked when the server is in trouble; without an answer the page has no name
 */
export const errorPages =
  (findInstitute: FindInstitute) =>
  async (refusal: Pick<ErrorSpec, 'name' | 'status'>, language: Locale, host: string): Promise<Content> => {
    const kind = kindOf(refusal)
    const institute = kind === 'failed' ? undefined : await findInstitute(host).catch(() => undefined)
    return smallPage(language, { ...WORDS[language].refused[kind], institute: institute?.name })
  }
