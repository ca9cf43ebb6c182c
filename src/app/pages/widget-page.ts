import { openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { content } from '#kernel/values/media.ts'
import { browserScript } from './browser-scripts.ts'

/** For how long browsers use the script without asking: a new version of the program reaches websites in this time. */
const MAX_AGE_SECONDS = 300

/** The registration form for the institute's own website. Pages of every origin may load it, as a module too. */
export const widgetPage = (): Endpoint => {
  const file = browserScript('widget.js')
  return openRead({
    access: 'anyone',
    unlimited: true,
    forPeople: true,
    id: 'pages.widget',
    path: '//widget.js',
    summary: 'The registration form for the institute’s own website',
    reply: content(['text/javascript']),
    handle: async () => {
      const { body, type, tag, compressed } = file.get()
      return {
        body,
        type,
        etag: tag,
        ...(compressed && { compressed }),
        headers: {
          'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
          'Access-Control-Allow-Origin': '*',
          'Cross-Origin-Resource-Policy': 'cross-origin',
        },
      }
    },
  })
}
