import { createHash } from 'node:crypto'
import path from 'node:path'
import * as v from 'valibot'
import { openRead, type Endpoint } from '#kernel/endpoint.ts'
import { NotFound } from '#kernel/errors.ts'
import { content, redirect, type Content } from '#kernel/media.ts'
import type { Module } from '#kernel/module.ts'
import { openApiDocument } from '#http/openapi.ts'
import { assetNames, readAsset } from './assets.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

export const OWN_PARTS_ONLY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
// swagger-ui adds style elements at run time.
const REFERENCE_PARTS = OWN_PARTS_ONLY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")

export const SAFE_HEADERS = {
  // Links in mails carry a token in their address: never send it to another site.
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

const shown = ({ body, type, tag }: File, policy: string): Content => ({
  body,
  type,
  etag: tag,
  headers: { ...SAFE_HEADERS, 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' },
})

/** What all pages and their files share: anybody may read them, and no rate limit counts it. */
const OPEN = { access: 'anyone', unlimited: true, forPeople: true } as const

const mediaTypes = (files: readonly File[]): string[] => [
  ...new Set(files.map(({ type }) => type.split(';')[0] as string)),
]

/** One address that serves one file. */
const page = (id: string, address: string, file: File, policy = OWN_PARTS_ONLY): Endpoint =>
  openRead({
    ...OPEN,
    id: `pages.${id}`,
    path: `/${address}`,
    summary: `The page ${address}`,
    reply: content(mediaTypes([file])),
    handle: async () => shown(file, policy),
  })

/** Serves every asset under `prefix`, by the rest of its name. Only names from the list can be requested. */
const folder = (id: string, address: string, kind: 'web-setup/' | 'docs/', prefix: string): Endpoint => {
  const files = new Map(
    assetNames(kind)
      .filter((name) => name.startsWith(prefix))
      .map((name) => [name.slice(prefix.length), fileOf(readAsset(name), name)]),
  )
  return openRead({
    ...OPEN,
    id: `pages.${id}`,
    path: `/${address}/{file*}`,
    params: { file: v.string() },
    summary: `What the pages under ${address} are made of`,
    reply: content(mediaTypes([...files.values()])),
    handle: async ({ params }) => {
      const file = files.get(params.file)
      if (!file) throw NotFound()
      return shown(file, OWN_PARTS_ONLY)
    },
  })
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
}): Endpoint[] => {
  const wizardPage = (name: string) => fileOf(readAsset(`web-setup/${name}.html`), `${name}.html`)
  const home = openRead({
    ...OPEN,
    id: 'pages.home',
    path: '//',
    summary: 'Where whoever opens the server’s address begins',
    reply: redirect,
    handle: async () => ({ location: (await isSetUp()) ? '/docs' : '/setup/', headers: SAFE_HEADERS }),
  })
  const document = openRead({
    ...OPEN,
    forPeople: false,
    id: 'pages.openapi',
    path: '//openapi.json',
    summary: 'This document',
    reply: content(['application/json']),
    handle: async () => shown(documentFile, OWN_PARTS_ONLY),
  })
  const text = JSON.stringify(openApiDocument([...endpoints, document]))
  const documentFile = fileOf(Buffer.from(text), 'openapi.json')
  return [
    home,
    document,
    page('setup', '/setup', wizardPage('index')),
    folder('setup-assets', '/setup/assets', 'web-setup/', 'web-setup/assets/'),
    ...['invitation', 'reset-password', 'verify-email'].map((name) => page(name, `/${name}`, wizardPage(name))),
    page('reference', '/docs', fileOf(Buffer.from(REFERENCE), 'docs.html'), REFERENCE_PARTS),
    page('reference-start', '/docs/start.js', fileOf(Buffer.from(START_REFERENCE), 'start.js')),
    folder('reference-assets', '/docs/assets', 'docs/', 'docs/'),
  ]
}

/** The program's own pages: the wizard, those that mail links open, and the API reference. */
export const pagesModule = (modules: readonly Module[], isSetUp: () => Promise<boolean>): Module => ({
  name: 'pages',
  endpoints: allPages({ endpoints: modules.flatMap(({ endpoints = [] }) => endpoints), isSetUp }),
})
