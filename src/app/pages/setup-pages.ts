import { openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { content } from '#kernel/values/media.ts'
import { readAsset } from '#executable/assets.ts'
import type { SETUP_SCRIPTS } from './browser-scripts.ts'
import { BESIDE_CONSOLE } from './console-files.ts'
import { OPEN, type HtmlPage } from './page-file.ts'
import { framedPage } from './page-frame.ts'
import { scriptedPage } from './scripted-page.ts'
import { TROUBLE, withFloor, type Needs } from './trouble.ts'

const LANGUAGES = `      <div class="languages" role="group" data-t-label="languages.label">
        <button type="button" data-language="ar" lang="ar">العربية</button>
        <button type="button" data-language="he" lang="he">עברית</button>
        <button type="button" data-language="en" lang="en">English</button>
      </div>
`

const BEFORE_SCREENS = `${TROUBLE}      <section id="loading" class="loading" data-screen aria-busy="true"><span class="spinner"></span></section>
`

const AFTER_SCREENS = `      <div id="alert" class="alert" role="alert" hidden>
        <p id="alert-text"></p>
        <button type="button" id="retry" data-t="problem.retry"></button>
        <details id="alert-details">
          <summary data-t="problem.details"></summary>
          <pre id="alert-facts" dir="ltr"></pre>
        </details>
      </div>
      <p id="live" class="visually-hidden" aria-live="polite"></p>
`

/** A step that is long stands in a file of its own, which a comment names. */
const INCLUDED = /<!-- ([a-z-]+)\.html -->/g

const read = (name: string): string =>
  readAsset(`web-setup/pages/${name}.html`)
    .toString('utf8')
    .replaceAll(INCLUDED, (_, included: string) => read(included))

/** Its screens are files of web-setup/pages; its script shows one screen at a time, in the reader's language. */
const setupPage = (
  screens: readonly string[],
  { script, needs }: { script: (typeof SETUP_SCRIPTS)[number]; needs: Needs },
  beside: { className?: string; beforeMain?: string } = {},
): string =>
  framedPage({
    language: 'en',
    title: 'Institute',
    script: { address: `/setup/assets/${script}`, needs },
    header: LANGUAGES,
    main: `${BEFORE_SCREENS}${screens.map(read).join('\n')}${AFTER_SCREENS}`,
    ...beside,
  })

/** Those that mail links open are for families too; from the others one goes on to the console, and needs what it needs. */
const NEEDS: Readonly<Record<(typeof BESIDE_CONSOLE)[number], Needs>> = {
  authorize: 'console',
  invitation: 'families',
  license: 'console',
  'reset-password': 'families',
  'verify-email': 'families',
}

/** The pages beside the console that are made of its parts. */
export const besideConsole = (): Endpoint[] => {
  const policy = withFloor()
  return BESIDE_CONSOLE.map((name) =>
    openRead({
      ...OPEN,
      id: `pages.${name}`,
      path: `//${name === 'authorize' ? 'oauth/authorize' : name}`,
      summary: `The page ${name}`,
      reply: content(['text/html']),
      handle: async () => scriptedPage({ name, language: 'en', title: 'Institute', needs: NEEDS[name], policy }),
    }),
  )
}

/** The wizard. */
export const setupPages = (): HtmlPage[] => {
  const policy = withFloor()
  return [
    {
      id: 'setup',
      address: '/setup',
      policy,
      html: () =>
        setupPage(
          ['wizard', 'wizard-end'],
          { script: 'wizard/main.js', needs: 'console' },
          { className: 'with-rail', beforeMain: read('wizard-progress') },
        ),
    },
  ]
}
