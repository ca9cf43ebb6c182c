import './fills.ts'
import { App } from './app.tsx'
import { firstLanguage } from './words/language.tsx'
import { keepInstallPrompt } from './shell/install-prompt.ts'
import { begin, draw } from './shell/root.tsx'
import { startTheme } from './shell/theme.ts'

begin(async () => {
  startTheme()
  keepInstallPrompt()
  draw(<App language={await firstLanguage()} />)
})
