import { escapeHtml } from '#kernel/html.ts'
import { readAsset } from '#app/executable/assets.ts'
import { OWN_PARTS_ONLY, type HtmlPage } from './page-file.ts'

/** swagger-ui adds style elements at run time. */
export const REFERENCE_POLICY = OWN_PARTS_ONLY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")

/** The pages of the guide, in the order in which they are read. Each is a file of web-setup/docs/guide. */
const TOPICS = [
  ['authentication', 'Authentication'],
  ['paging', 'Lists and paging'],
  ['money-and-time', 'Money and time'],
  ['errors', 'Errors and retries'],
  ['idempotency', 'Idempotency'],
  ['webhooks', 'Webhooks'],
  ['registration-form', 'Registration form'],
  ['assistants', 'Assistants'],
] as const

const OVERVIEW = ['overview', 'Overview'] as const

const addressOf = (topic: string): string => (topic === OVERVIEW[0] ? '/docs/guide' : `/docs/guide/${topic}`)

const read = (name: string): string => readAsset(`web-setup/docs/${name}`).toString('utf8')

const link = (topic: string, title: string, current: string): string =>
  `<li><a href="${addressOf(topic)}"${topic === current ? ' aria-current="page"' : ''}>${title}</a></li>`

const navigation = (current: string): string => `<nav aria-label="Guide">
        <ul>
          ${[OVERVIEW, ...TOPICS].map(([topic, title]) => link(topic, title, current)).join('\n          ')}
        </ul>
        <p><a href="/docs">Reference of all operations</a></p>
        <p><a href="/openapi.json">openapi.json</a></p>
      </nav>`

const head = (title: string, styles: readonly string[]): string => `<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" href="/setup/assets/mark.svg" type="image/svg+xml" />
${styles.map((style) => `    <link rel="stylesheet" href="${style}" />`).join('\n')}`

const brand =
  '<p class="brand"><img src="/setup/assets/mark.svg" alt="" width="28" height="28" /> Institute <span>API</span></p>'

/** Puts in the code, which stands in files of its own that tests run. tabindex lets people without a mouse scroll it. */
const withCode = (html: string): string =>
  html
    .replaceAll(
      /<!-- code: (\S+) -->/g,
      (_, file: string) => `<pre><code>${escapeHtml(read(`code/${file}`).trimEnd())}</code></pre>`,
    )
    .replaceAll('<pre>', '<pre tabindex="0">')

const guidePage = (topic: string, title: string): string => `<!doctype html>
<html lang="en" dir="ltr">
  <head>
    ${head(`${title} · Institute API`, ['/setup/assets/style/tokens.css', '/setup/assets/style/base.css', '/docs/guide.css'])}
  </head>
  <body class="guide">
    <header>${brand}</header>
    <div class="columns">
      ${navigation(topic)}
      <main>
        <h1>${title}</h1>
${withCode(read(`guide/${topic}.html`))}      </main>
    </div>
  </body>
</html>
`

/** Every page of the guide. */
export const guidePages = (): HtmlPage[] =>
  [OVERVIEW, ...TOPICS].map(([topic, title]) => ({
    id: `guide-${topic}`,
    address: addressOf(topic),
    html: () => guidePage(topic, title),
  }))

export const REFERENCE = `<!doctype html>
<html lang="en" dir="ltr">
  <head>
    ${head('Reference · Institute API', ['/docs/assets/swagger-ui.css', '/docs/guide.css'])}
  </head>
  <body class="reference">
    <header>
      ${brand}
      <nav aria-label="Guide">
        <ul>
          ${TOPICS.map(([topic, title]) => link(topic, title, '')).join('\n          ')}
        </ul>
      </nav>
    </header>
    <main id="reference"></main>
    <script src="/docs/assets/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`
