import { Menu } from '../parts/menu.tsx'
import { LOCALES, OWN_NAMES } from '../words/locale.ts'
import { useLanguage } from './language.tsx'

/** The language, beside the pages of people who have not signed in. */
export const LanguageMenu = () => {
  const { locale, words, change } = useLanguage()
  return (
    <Menu
      label={words.shell.language}
      icon="globe"
      className="button quiet"
      text={OWN_NAMES[locale]}
      entries={LOCALES.map((id) => ({
        id,
        label: OWN_NAMES[id],
        isChosen: id === locale,
        onSelect: () => change(id),
      }))}
    />
  )
}
