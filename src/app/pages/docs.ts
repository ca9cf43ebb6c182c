import path from 'node:path'
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '#kernel/basics/html.ts'
import { readAsset } from '#executable/assets.ts'
import { OWN_PARTS_ONLY, servedFile, type ServedFile } from './page-file.ts'

/** swagger-ui adds style elements at run time. */
export const REFERENCE_POLICY = OWN_PARTS_ONLY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")

/** Pages that belong together, in the order in which they are read. */
interface Section {
  /** Of the navigation. */
  label: string
  /** Stands behind the program's name. */
  about: string
  /** Each is a Markdown file of web-setup/docs/<section>; its heading is its title. */
  topics: readonly string[]
}

const SECTIONS = {
  guide: {
    label: 'Guide',
    about: 'API',
    topics: [
      'overview',
      'authentication',
      'paging',
      'money-and-time',
      'errors',
      'idempotency',
      'webhooks',
      'registration-form',
      'assistants',
    ],
  },
  server: {
    label: 'Running a server',
    about: 'Server',
    topics: [
      'overview',
      'install',
      'settings',
      'proxies',
      'card-payments',
      'mail',
      'backups',
      'files',
      'postgres',
      'upgrade',
      'updates',
      'monitoring',
      'troubleshooting',
      'command-line',
      'security',
      'cloud',
      'vendor',
    ],
  },
} as const satisfies Record<string, Section>

type SectionName = keyof typeof SECTIONS

const addressOf = (section: string, topic: string): string =>
  topic === 'overview' ? `/docs/${section}` : `/docs/${section}/${topic}`

const read = (name: string): string => readAsset(`web-setup/docs/${name}`).toString('utf8')

const titleOf = (section: SectionName, topic: string): string =>
  /^# (.+)$/m.exec(read(`${section}/${topic}.md`))?.[1] ?? topic

/** A link to another page's file, as the repository shows it, leads to that page. */
const linked = (href: string, section: SectionName): string => {
  const [, other, topic] = /^([a-z-]+)\/([a-z-]+)\.md$/.exec(path.posix.join(section, href)) ?? []
  return other === undefined || topic === undefined ? href : addressOf(other, topic)
}

const rendered = (section: SectionName, topic: string): string =>
  new Marked({
    walkTokens: (token) => {
      if (token.type === 'link') token.href = linked((token as Tokens.Link).href, section)
    },
  }).parse(read(`${section}/${topic}.md`), { async: false })

const link = (section: SectionName, topic: string, current?: string): string =>
  `<li><a href="${addressOf(section, topic)}"${topic === current ? ' aria-current="page"' : ''}>${titleOf(section, topic)}</a></li>`

const navigation = (section: SectionName, current: string): string => `<nav aria-label="${SECTIONS[section].label}">
        <ul>
          ${SECTIONS[section].topics.map((topic) => link(section, topic, current)).join('\n          ')}
        </ul>
${Object.entries(SECTIONS)
  .filter(([other]) => other !== section)
  .map(([other, { label }]) => `        <p><a href="${addressOf(other, 'overview')}">${label}</a></p>`)
  .join('\n')}
        <p><a href="/docs">Reference of all operations</a></p>
        <p><a href="/openapi.json">openapi.json</a></p>
      </nav>`

const head = (title: string, styles: readonly string[]): string => `<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" href="/setup/assets/mark.svg" type="image/svg+xml" />
${styles.map((style) => `    <link rel="stylesheet" href="${style}" />`).join('\n')}`

const brand = (about: string): string =>
  `<p class="brand"><img src="/setup/assets/mark.svg" alt="" width="28" height="28" /> Institute <span>${about}</span></p>`

/** Puts in the code, which stands in files of its own that tests run. tabindex lets people without a mouse scroll it. */
const withCode = (html: string): string =>
  html
    .replaceAll(
      /<!-- code: (\S+) -->/g,
      (_, file: string) => `<pre><code>${escapeHtml(read(`code/${file}`).trimEnd())}</code></pre>`,
    )
    .replaceAll('<pre>', '<pre tabindex="0">')

const docsPage = (section: SectionName, topic: string): string => `<!doctype html>
<html lang="en" dir="ltr">
  <head>
    ${head(`${titleOf(section, topic)} · Institute ${SECTIONS[section].about}`, ['/setup/assets/style/tokens.css', '/setup/assets/style/base.css', '/docs/guide.css'])}
  </head>
  <body class="guide">
    <header>${brand(SECTIONS[section].about)}</header>
    <div class="columns">
      ${navigation(section, topic)}
      <main>
${withCode(rendered(section, topic))}      </main>
    </div>
  </body>
</html>
`

/** The overview of a section, and the pages below its address by their names. */
export const docsPages = (section: SectionName): { overview: ServedFile; below: Map<string, ServedFile> } => {
  const file = (topic: string): ServedFile => servedFile('page.html', () => docsPage(section, topic))
  const below = SECTIONS[section].topics.filter((topic) => topic !== 'overview')
  return { overview: file('overview'), below: new Map(below.map((topic) => [topic, file(topic)])) }
}

export const referencePage = (): string => `<!doctype html>
<html lang="en" dir="ltr">
  <head>
    ${head('Reference · Institute API', ['/docs/assets/swagger-ui.css', '/docs/guide.css'])}
  </head>
  <body class="reference">
    <header>
      ${brand(SECTIONS.guide.about)}
      <nav aria-label="Guide">
        <ul>
          ${SECTIONS.guide.topics
            .filter((topic) => topic !== 'overview')
            .map((topic) => link('guide', topic))
            .join('\n          ')}
          <li><a href="${addressOf('server', 'overview')}">${SECTIONS.server.label}</a></li>
        </ul>
      </nav>
    </header>
    <main id="reference"></main>
    <script src="/docs/assets/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`
