import { LOCALES } from '../../shared/locale.ts'
import { OWN_NAMES } from '../words/locale.ts'
import { useFirstLanguage } from '../words/language.tsx'

/** The languages, beside the pages of people who have not signed in. */
export const LanguageChoice = () => {
  const { locale, words, change } = useFirstLanguage()
  return (
    <div className="languages" role="group" aria-label={words.shell.language}>
      {LOCALES.map((id) => (
        <button
          key={id}
          type="button"
          lang={id}
          className="button quiet"
          aria-pressed={id === locale}
          onClick={() => change(id)}
        >
          {OWN_NAMES[id]}
        </button>
      ))}
    </div>
  )
}
