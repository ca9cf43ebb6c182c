import './fills.ts'
import { App } from './app.tsx'
import { firstLanguage } from './words/language.tsx'
import { watchHomeScreen } from './shell/home-screen.ts'
import { begin, draw } from './shell/root.tsx'
import { startTheme } from './shell/theme.ts'

begin(async () => {
  startTheme()
  watchHomeScreen()
  draw(<App language={await firstLanguage()} />)
})
