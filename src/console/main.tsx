import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './shell/app.tsx'
import { firstLanguage } from './shell/language.tsx'
import { startTheme } from './shell/theme.ts'

const start = async (): Promise<void> => {
  startTheme()
  const language = await firstLanguage()
  createRoot(document.querySelector('#console') as HTMLElement).render(
    <StrictMode>
      <App language={language} />
    </StrictMode>,
  )
}

void start()
