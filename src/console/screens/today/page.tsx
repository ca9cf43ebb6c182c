import { Page } from '../../parts/page.tsx'
import { useWords } from '../../shell/language.tsx'

export const Screen = () => {
  const { shell } = useWords()
  return <Page title={shell.nav.today}>…</Page>
}
