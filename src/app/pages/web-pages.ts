import * as v from 'valibot'
import { openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { content } from '#kernel/values/media.ts'
import type { Module } from '#kernel/contract/module.ts'
import { openApiDocument, type Exchange } from '#http/openapi/document.ts'
import { assetNames, readAsset } from '#executable/assets.ts'
import { version } from '#executable/version.ts'
import { browserScript } from './browser-scripts.ts'
import { consolePages, type ConsoleDeps } from './console-pages.ts'
import { docsPages, REFERENCE_POLICY, referencePage } from './docs.ts'
import { OPEN, servedFile, shown, type ServedFile } from './page-file.ts'
import { setupPages } from './setup-pages.ts'
import { widgetPage } from './widget-page.ts'

const mediaTypes = (files: readonly ServedFile[]): string[] => [
  ...new Set(files.map(({ type }) => type.split(';')[0] as string)),
]

/** One address that serves one file. */
const page = (id: string, address: string, file: ServedFile, policy?: string): Endpoint =>
  openRead({
    ...OPEN,
    id: `pages.${id}`,
    path: `/${address}`,
    summary: `The page ${address}`,
    reply: content(mediaTypes([file])),
    handle: async () => shown(file.get(), policy),
  })

/** Serves every asset under `prefix`, by the rest of its name. Only names from the list can be requested. */
const folder = (id: string, address: string, files: ReadonlyMap<string, ServedFile>): Endpoint =>
  openRead({
    ...OPEN,
    id: `pages.${id}`,
    path: `/${address}/{file*}`,
    params: { file: v.string() },
    summary: `What the pages under ${address} are made of`,
    reply: content(mediaTypes([...files.values()])),
    handle: async ({ params }) => {
      const file = files.get(params.file)
      if (!file) throw NotFound()
      return shown(file.get())
    },
  })

const asset = (name: string): ServedFile => servedFile(name, () => readAsset(name))

const TOKENS = 'web-setup/assets/style/tokens.css'

/** The colours of the console, where somebody chooses between light and dark: these pages follow the device. */
const tokens = (): string =>
  readAsset(TOKENS)
    .toString('utf8')
    .replace(/:root\[data-theme='dark'\] (\{[^}]*\})/, '@media (prefers-color-scheme: dark) { :root $1 }')

const assetsUnder = (kind: 'web-setup/' | 'docs/', prefix: string): Map<string, ServedFile> =>
  new Map(
    assetNames(kind)
      .filter((name) => name.startsWith(prefix))
      .map((name) => [name.slice(prefix.length), asset(name)]),
  )

/** A section of the documentation: its overview, and the pages below it. */
const docsSection = (section: 'guide' | 'server'): Endpoint[] => {
  const { overview, below } = docsPages(section)
  return [page(section, `/docs/${section}`, overview), folder(`${section}-pages`, `/docs/${section}`, below)]
}

/** The code of the guide as plain text, for whoever copies it from the console. */
const guideCode = (): Map<string, ServedFile> => {
  const prefix = 'web-setup/docs/code/'
  return new Map(
    assetNames('web-setup/')
      .filter((name) => name.startsWith(prefix))
      .map((name) => [name.slice(prefix.length), servedFile(`${name}.txt`, () => readAsset(name))]),
  )
}

/** Requests that were made of a server like this one, and the replies to them, by the id of the endpoint. */
const readExamples = (): Record<string, Exchange> =>
  JSON.parse(readAsset('web-setup/docs/examples.json').toString('utf8')) as Record<string, Exchange>

interface Documented {
  endpoints: readonly Endpoint[]
  tags: Readonly<Record<string, string>>
}

/** The OpenAPI document. */
const documentPage = ({ endpoints, tags }: Documented): Endpoint => {
  const file = servedFile('openapi.json', () =>
    JSON.stringify(openApiDocument({ endpoints: [...endpoints, endpoint], tags, version, examples: readExamples() })),
  )
  const endpoint = openRead({
    ...OPEN,
    forPeople: false,
    id: 'pages.openapi',
    path: '//openapi.json',
    summary: 'This document',
    reply: content(['application/json']),
    handle: async () => shown(file.get()),
  })
  return endpoint
}

const ApiRoot = v.object({ document: v.string(), reference: v.string(), guide: v.string() })

/** For a program, or a person, that knows only where the API is. */
const apiRoot = openRead({
  ...OPEN,
  id: 'pages.api',
  path: '//api/v1',
  summary: 'Where this API is described',
  reply: ApiRoot,
  handle: async () => ({ document: '/openapi.json', reference: '/docs', guide: '/docs/guide' }),
})

/** What is here is for the institute's own people. */
const ROBOTS = 'User-agent: *\nDisallow: /\n'

const TAGS = { pages: 'The description of this API, for programs.' }

/** The program's own pages: the console, the wizard, those that mail links open, and the API reference. */
export const pagesModule = (modules: readonly Module[], console: ConsoleDeps): Module => ({
  name: 'pages',
  tags: TAGS,
  endpoints: [
    documentPage({
      endpoints: modules.flatMap(({ endpoints = [] }) => endpoints),
      tags: Object.assign({}, ...modules.map(({ tags }) => tags), TAGS) as Record<string, string>,
    }),
    apiRoot,
    // Browsers ask for it beside whatever has no icon of its own, such as a reply in JSON.
    page('icon', '/favicon.ico', asset('web-setup/assets/mark.svg')),
    page(
      'robots',
      '/robots.txt',
      servedFile('robots.txt', () => ROBOTS),
    ),
    folder(
      'setup-assets',
      '/setup/assets',
      new Map([
        ...assetsUnder('web-setup/', 'web-setup/assets/'),
        ['lib/weak-passwords.js', browserScript('weak-passwords.js')],
        ['style/tokens.css', servedFile(TOKENS, tokens)],
      ]),
    ),
    ...setupPages(),
    page('reference', '/docs', servedFile('docs.html', referencePage), REFERENCE_POLICY),
    page('reference-start', '/docs/start.js', asset('web-setup/docs/start.js')),
    page('guide-style', '/docs/guide.css', asset('web-setup/docs/guide.css')),
    ...docsSection('guide'),
    ...docsSection('server'),
    folder('guide-code', '/docs/code', guideCode()),
    widgetPage(),
    folder('reference-assets', '/docs/assets', assetsUnder('docs/', 'docs/')),
    ...consolePages(console),
  ],
})
