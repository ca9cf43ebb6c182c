import { useEffect } from 'react'
import { answer, api } from '../api/client.ts'
import { useChange } from '../api/queries.ts'
import { explain } from '../parts/problem-notice.tsx'
import { toast } from '../parts/toast.tsx'
import { useLanguage } from '../words/language.tsx'
import { isLocale, type Locale } from '../../shared/locale.ts'
import { useWho } from './me.tsx'

/**
 * Who is signed in reads the pages in the language of their account, whoever used this browser before; who works in
 * somebody’s name goes on in the one that they read until then.
 */
export const useOwnLanguage = (): void => {
  const { user, isImpersonated } = useWho()
  const own = user.locale
  const { change } = useLanguage()
  // Not again where somebody chooses another: the page changes first, and the account follows.
  useEffect(() => {
    if (!isImpersonated && isLocale(own) && own !== document.documentElement.lang) change(own)
  }, [own, change, isImpersonated])
}

/** Chooses the language of the pages and of the messages to the signed-in person, in every browser. */
export const useChooseLanguage = (): ((chosen: Locale) => void) => {
  const { words, change } = useLanguage()
  const { isImpersonated } = useWho()
  const keep = useChange('me', (locale: Locale) => answer(api.PATCH('/me', { body: { locale } })))
  return (chosen) => {
    change(chosen)
    // Who looks at an institute in somebody's name reads it in their own language, and leaves that person's as it is.
    if (!isImpersonated) keep.mutate(chosen, { onError: (error) => toast(explain(words, error)) })
  }
}
