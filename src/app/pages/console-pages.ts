import { isSea } from 'node:sea'
import * as v from 'valibot'
import { openRead, type Endpoint, type RequestInfo } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { escapeHtml } from '#kernel/basics/html.ts'
import { content, type Content } from '#kernel/values/media.ts'
import { OtherStatus } from '#kernel/values/other-status.ts'
import { FALLBACK_LOCALE } from '#shared/locale.ts'
import { GALLERY, SCREENS, SIGNED_OUT } from '../../console/map.ts'
import { browserScript } from './browser-scripts.ts'
import { consoleFile } from './console-files.ts'
import type { FindInstitute, InstituteOfHost } from './institute-of-host.ts'
import { OPEN, OWN_PARTS_ONLY, SAFE_HEADERS, shown } from './page-file.ts'
import { homeScreenManifest, MANIFEST, TOUCH_ICON } from './home-screen.ts'
import { scriptedPage } from './scripted-page.ts'
import { withFloor } from './trouble.ts'

export interface ConsoleDeps {
  findInstitute: FindInstitute
  isCloud: boolean
  /** The origin of the bucket where files are; undefined: there is none. */
  fileOrigin: string | undefined
}

/** The first words of the console's addresses. Its script knows what stands below them. */
const PLACES: ReadonlySet<string> = new Set(
  [...SCREENS.map(({ path }) => path), ...SIGNED_OUT, ...(isSea() ? [] : [GALLERY])].map(
    (path) => path.split('/')[1] ?? '',
  ),
)

/** It stands at the root, so that the whole console is its scope. */
const PUSH_WORKER = '/push-worker.js'

/** Names of the files change with their bytes. */
const FOR_GOOD = 'public, max-age=31536000, immutable'

/**
 * Files come from this server or the bucket, and go there; the preview of a picture that is chosen is a blob. The console alone
 * is put on home screens, and gets messages.
 */
const policyWith = (fileOrigin: string | undefined): string => {
  const policy = `${withFloor(OWN_PARTS_ONLY)}; manifest-src 'self'; worker-src 'self'`.replace(
    "img-src 'self' data:",
    "img-src 'self' data: blob:",
  )
  return fileOrigin === undefined ? policy : policy.replaceAll(/(img|connect)-src 'self'/g, `$& ${fileOrigin}`)
}

const pageOf = (institute: InstituteOfHost | undefined, request: RequestInfo, policy: string): Content => {
  const language = institute?.locale ?? FALLBACK_LOCALE
  return scriptedPage({
    name: 'console',
    language,
    spoken: request.locale(language),
    title: institute?.name ?? 'Institute',
    needs: 'console',
    head: `    <meta name="institute" content="${escapeHtml(JSON.stringify(institute ?? null))}" />
    <link rel="manifest" href="${MANIFEST}" />
    <link rel="apple-touch-icon" href="${TOUCH_ICON}" />\n`,
    policy,
  })
}

/** @throws NotFound where the console has no such place */
const pageAt =
  ({ findInstitute, isCloud, fileOrigin }: ConsoleDeps) =>
  async (request: RequestInfo, place = ''): Promise<Content | OtherStatus<Content>> => {
    if (!PLACES.has(place)) throw NotFound()
    const institute = await findInstitute(request.host)
    if (institute || isCloud) return pageOf(institute, request, policyWith(fileOrigin))
    // A new server begins with the wizard.
    const headers = { ...SAFE_HEADERS, Location: '/setup/' }
    return new OtherStatus(302, { body: '', type: 'text/html; charset=utf-8', headers })
  }

/**
 * The console: one page at each of its addresses, whose script shows what belongs there, and its files. They come after
 * all other addresses of the server's root.
 */
export const consolePages = (deps: ConsoleDeps): Endpoint[] => {
  const show = pageAt(deps)
  const pushWorker = browserScript('push-worker.js')
  const page = { ...OPEN, summary: 'The console, for the people of the institute', reply: content(['text/html']) }
  const otherStatuses = [302]
  return [
    openRead({
      ...page,
      otherStatuses,
      id: 'pages.console',
      path: '//',
      handle: ({ request }) => show(request),
    }),
    openRead({
      ...OPEN,
      id: 'pages.manifest',
      path: `/${MANIFEST}`,
      summary: 'What the console is on a home screen',
      reply: content(['application/manifest+json']),
      handle: async ({ request }) => homeScreenManifest(await deps.findInstitute(request.host)),
    }),
    openRead({
      ...OPEN,
      id: 'pages.push-worker',
      path: `/${PUSH_WORKER}`,
      summary: 'What shows push messages in a browser where no page is open',
      reply: content(['text/javascript']),
      handle: async () => shown(pushWorker.get()),
    }),
    openRead({
      ...OPEN,
      id: 'pages.console-assets',
      path: '//console/assets/{file*}',
      params: { file: v.string() },
      summary: 'What the console is made of',
      reply: content(['text/javascript', 'text/css', 'application/json']),
      handle: async ({ params }) => {
        const file = consoleFile(params.file)
        if (!file) throw NotFound()
        const { headers, ...served } = shown(file.get())
        return { ...served, headers: { ...headers, 'Cache-Control': FOR_GOOD } }
      },
    }),
    openRead({
      ...page,
      otherStatuses,
      id: 'pages.console-place',
      path: '//{place}',
      params: { place: v.string() },
      handle: ({ request, params }) => show(request, params.place),
    }),
    openRead({
      ...page,
      otherStatuses,
      id: 'pages.console-below',
      path: '//{place}/{rest*}',
      params: { place: v.string(), rest: v.string() },
      handle: ({ request, params }) => show(request, params.place),
    }),
  ]
}
