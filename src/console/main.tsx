import './fills.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { firstLanguage } from './words/language.tsx'
import { startTheme } from './shell/theme.ts'
import { isTooOld, Started, tellTrouble } from './shell/trouble.tsx'

const start = async (): Promise<void> => {
  startTheme()
  const language = await firstLanguage()
  const root = createRoot(document.querySelector('#console') as HTMLElement, {
    onUncaughtError: (error) => {
      reportError(error)
      tellTrouble()
    },
  })
  root.render(
    <StrictMode>
      <Started>
        <App language={language} />
      </Started>
    </StrictMode>,
  )
}

if (!isTooOld()) {
  start().catch((error: unknown) => {
    tellTrouble()
    throw error
  })
}
