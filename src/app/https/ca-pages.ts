import { createHash, type X509Certificate } from 'node:crypto'
import * as v from 'valibot'
import { FALLBACK_LOCALE, type Locale } from '#shared/locale.ts'
import { escapeHtml } from '#kernel/basics/html.ts'
import { openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { content, type Content } from '#kernel/values/media.ts'
import type { FindInstitute } from '#app/pages/institute-of-host.ts'
import { OPEN, OWN_PARTS_ONLY, SAFE_HEADERS } from '#app/pages/page-file.ts'
import { framedPage } from '#app/pages/page-frame.ts'
import type { Https } from './https.ts'
import type { HttpsChoice } from './state-file.ts'
import { WORDS, type CaWords } from './words/index.ts'

/** A file that a device takes the root from. */
const FILES = {
  'root.crt': { type: 'application/x-x509-ca-cert', of: (root: X509Certificate) => root.raw },
  'root.mobileconfig': { type: 'application/x-apple-aspen-config', of: (root: X509Certificate) => profileOf(root) },
} as const
type FileName = keyof typeof FILES

const isFile = (name: string): name is FileName => Object.hasOwn(FILES, name)

/** The same for the same root, so that a profile replaces itself. */
const uuidOf = (root: X509Certificate, part: string): string =>
  createHash('sha256')
    .update(part)
    .update(root.raw)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
    .toUpperCase()

const nameOf = ({ subject }: X509Certificate): string => /^CN=(.*)$/m.exec(subject)?.[1] ?? 'Institute'

const profileOf = (root: X509Certificate): Buffer => {
  const [inner, outer, name] = [uuidOf(root, 'certificate'), uuidOf(root, 'profile'), escapeHtml(nameOf(root))]
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>PayloadType</key><string>com.apple.security.root</string>
      <key>PayloadVersion</key><integer>1</integer>
      <key>PayloadIdentifier</key><string>institute.root.${inner}</string>
      <key>PayloadUUID</key><string>${inner}</string>
      <key>PayloadDisplayName</key><string>${name}</string>
      <key>PayloadContent</key><data>${root.raw.toString('base64')}</data>
    </dict>
  </array>
  <key>PayloadType</key><string>Configuration</string>
  <key>PayloadVersion</key><integer>1</integer>
  <key>PayloadIdentifier</key><string>institute.profile.${outer}</string>
  <key>PayloadUUID</key><string>${outer}</string>
  <key>PayloadDisplayName</key><string>${name}</string>
</dict>
</plist>
`)
}

const SYSTEMS: readonly (readonly [CaWords['systems'][number]['id'], RegExp])[] = [
  ['ios', /iPhone|iPad/],
  ['android', /Android/],
  ['windows', /Windows/],
]

const stepsOf = (words: CaWords, userAgent: string): string => {
  const own = SYSTEMS.find(([, known]) => known.test(userAgent))?.[0]
  return words.systems
    .map(
      ({ id, name, file, download, steps, notes }) => `        <details${id === own ? ' open' : ''}>
          <summary><bdi>${escapeHtml(name)}</bdi></summary>
          <p><a class="get" href="/ca/${file}">${escapeHtml(download)}</a></p>
          <ol>
${steps.map((step) => `            <li>${escapeHtml(step)}</li>\n`).join('')}          </ol>
          <p class="note">${escapeHtml(notes)}</p>
        </details>
`,
    )
    .join('')
}

/** @param fails what is said where it does not open */
const checkOf = (words: CaWords, url: string, fails: string): string => `        <h2>${escapeHtml(words.check)}</h2>
        <p>${escapeHtml(words.tried(url))}</p>
        <div class="actions">
          <button type="button" class="primary" id="check" data-url="${escapeHtml(url)}">${escapeHtml(words.checkNow)}</button>
        </div>
        <p id="checking" role="status"></p>
        <p id="works" hidden>${escapeHtml(words.works)} <a href="${escapeHtml(url)}/"><bdi dir="ltr">${escapeHtml(url)}</bdi></a></p>
        <p id="fails" hidden>${escapeHtml(fails)}</p>
        <template id="wait">${escapeHtml(words.checking)}</template>
        <script type="module" src="/setup/assets/ca.js"></script>
`

/** Groups of which a reader does not lose the place. */
const legible = (fingerprint: string): string =>
  (fingerprint.match(/(?:..:?){1,8}/g) ?? []).map((row) => row.replace(/:$/, '')).join('\n')

/** As Windows shows it. */
export const asWindows = ({ fingerprint }: X509Certificate): string => fingerprint.replaceAll(':', '').toLowerCase()

interface Shown {
  language: Locale
  userAgent: string
  institute: string | undefined
  root: X509Certificate | undefined
  /** Where it opens over HTTPS; undefined: nowhere. */
  url: string | undefined
  way: HttpsChoice['way']
}

const caPage = ({ language, userAgent, institute, root, url, way: chosen }: Shown): Content => {
  const words = WORDS[language]
  const way = url === undefined ? '' : `<p><a href="${escapeHtml(url)}/">${escapeHtml(words.open)}</a></p>`
  const body =
    chosen === 'local' && root
      ? `        <p class="lead">${escapeHtml(words.lead)}</p>
${stepsOf(words, userAgent)}        <h2>${escapeHtml(words.fingerprint)}</h2>
        <p>${escapeHtml(words.compare)}</p>
        <pre dir="ltr">${legible(root.fingerprint256)}</pre>
        <p>${escapeHtml(words.forWindows)}</p>
        <pre dir="ltr">${asWindows(root)}</pre>
${url === undefined ? '' : checkOf(words, url, words.fails)}`
      : `        <p class="lead">${escapeHtml(words.nothing)}</p>
        ${way}
${chosen === 'vendor' && url !== undefined ? checkOf(words, url, words.hidden) : ''}`
  const policy = url === undefined ? OWN_PARTS_ONLY : OWN_PARTS_ONLY.replace("connect-src 'self'", `connect-src ${url}`)
  return {
    type: 'text/html; charset=utf-8',
    headers: { ...SAFE_HEADERS, 'Content-Security-Policy': policy, Vary: 'Accept-Language, User-Agent' },
    body: framedPage({
      language,
      title: words.title,
      institute,
      styles: ['ca'],
      main: `      <section class="ca">
        <h1>${escapeHtml(words.title)}</h1>
${body}      </section>
`,
    }),
  }
}

/** The page that puts the root on a device, its files, and what a public authority asks of this server. */
export const caPages = (https: Https, findInstitute: FindInstitute): readonly Endpoint[] => [
  openRead({
    ...OPEN,
    id: 'https.ca',
    path: '//ca',
    summary: 'The page that puts the root of this server on a device',
    reply: content(['text/html']),
    handle: async ({ request }) => {
      const institute = await findInstitute(request.host)
      return caPage({
        language: request.locale(institute?.locale ?? FALLBACK_LOCALE),
        userAgent: request.userAgent ?? '',
        institute: institute?.name,
        root: https.root(),
        url: https.addressFor(request.host),
        way: https.state().choice.way,
      })
    },
  }),
  openRead({
    ...OPEN,
    id: 'https.root',
    path: '//ca/{file}',
    params: { file: v.string() },
    summary: 'The root of this server, as devices take it',
    reply: content(Object.values(FILES).map(({ type }) => type)),
    fails: [NotFound],
    handle: async ({ params: { file } }) => {
      const root = https.root()
      if (!root || !isFile(file)) throw NotFound()
      const { type, of } = FILES[file]
      return { type, body: of(root), download: `institute-${file}`, headers: SAFE_HEADERS }
    },
  }),
  openRead({
    ...OPEN,
    id: 'https.proof',
    path: '//.well-known/acme-challenge/{token}',
    params: { token: v.string() },
    summary: 'The proof that a name is this server’s, while a certificate is ordered',
    reply: content(['text/plain']),
    fails: [NotFound],
    handle: async ({ params: { token } }) => {
      const proof = https.proof(token)
      if (proof === undefined) throw NotFound()
      return { type: 'text/plain', body: proof }
    },
  }),
]
