import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Endpoint } from '#kernel/endpoint.ts'
import { NotFound } from '#kernel/errors.ts'
import type { Module } from '#kernel/module.ts'
import type { PageRequest, PageRoute, Reply } from '#kernel/page.ts'
import { openApiDocument } from '#http/openapi.ts'
import { assetNames, readAsset } from './assets.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

const OWN_PARTS_ONLY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
// The reference page's library writes styles as it goes.
const REFERENCE_PARTS = OWN_PARTS_ONLY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")

const SAFE_HEADERS = {
  // Links in mails carry a token in their address.
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

interface File {
  body: Buffer
  type: string
  tag: string
}

const fileOf = (body: Buffer, name: string): File => ({
  body,
  type: TYPES[path.extname(name)] ?? 'application/octet-stream',
  tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
})

/** Whether what the client has is this. A proxy that compresses makes the tag a weak one. */
const isHad = (request: PageRequest, tag: string): boolean =>
  (request.header('if-none-match') ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === tag || one === '*')

const sent = ({ body, type, tag }: File, request: PageRequest, policy: string): Reply => {
  const headers = {
    ...SAFE_HEADERS,
    'Content-Type': type,
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-cache',
    ETag: tag,
  }
  return isHad(request, tag) ? { status: 304, headers, body: '' } : { status: 200, headers, body }
}

/** One address for one file. */
const page = (address: string, file: File, policy = OWN_PARTS_ONLY): PageRoute => ({
  path: address,
  reply: async (request) => sent(file, request, policy),
})

/** Every asset under `prefix`, by the rest of its name: what is not in the list cannot be asked for. */
const folder = (address: string, kind: 'web-setup/' | 'docs/', prefix: string): PageRoute => {
  const files = new Map(
    assetNames(kind)
      .filter((name) => name.startsWith(prefix))
      .map((name) => [name.slice(prefix.length), fileOf(readAsset(name), name)]),
  )
  return {
    path: `${address}/*file`,
    reply: async (request) => {
      const file = files.get(request.params.file ?? '')
      if (!file) throw NotFound()
      return sent(file, request, OWN_PARTS_ONLY)
    },
  }
}

const REFERENCE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Institute: the API</title>
    <link rel="stylesheet" href="/docs/assets/swagger-ui.css" />
  </head>
  <body>
    <main id="reference"></main>
    <script src="/docs/assets/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`
const START_REFERENCE = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none' })\n`

const allPages = ({
  endpoints,
  isSetUp,
}: {
  endpoints: readonly Endpoint[]
  isSetUp(): Promise<boolean>
}): PageRoute[] => {
  const wizardPage = (name: string) => fileOf(readAsset(`web-setup/${name}.html`), `${name}.html`)
  return [
    {
      path: '/',
      reply: async () => ({
        status: 302,
        headers: { ...SAFE_HEADERS, Location: (await isSetUp()) ? '/docs' : '/setup/' },
        body: '',
      }),
    },
    page('/setup', wizardPage('index')),
    folder('/setup/assets', 'web-setup/', 'web-setup/assets/'),
    ...['invitation', 'reset-password', 'verify-email'].map((name) => page(`/${name}`, wizardPage(name))),
    page('/openapi.json', fileOf(Buffer.from(JSON.stringify(openApiDocument(endpoints))), 'openapi.json')),
    page('/docs', fileOf(Buffer.from(REFERENCE), 'docs.html'), REFERENCE_PARTS),
    page('/docs/start.js', fileOf(Buffer.from(START_REFERENCE), 'start.js')),
    folder('/docs/assets', 'docs/', 'docs/'),
  ]
}

/** The program's own pages: the wizard, those behind mail links, and the reference of all endpoints. */
export const pagesModule = (modules: readonly Module[], isSetUp: () => Promise<boolean>): Module => ({
  name: 'pages',
  pages: allPages({ endpoints: modules.flatMap(({ endpoints = [] }) => endpoints), isSetUp }),
})
