import { openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { content } from '#kernel/values/media.ts'
import { BESIDE_CONSOLE } from './console-files.ts'
import { OPEN } from './page-file.ts'
import { scriptedPage } from './scripted-page.ts'
import { withFloor, type Needs } from './trouble.ts'

interface Beside {
  address: string
  needs: Needs
}

/** Those that mail links open are for families too; from the others one goes on to the console, and needs what it needs. */
const PAGES: Readonly<Record<(typeof BESIDE_CONSOLE)[number], Beside>> = {
  authorize: { address: '/oauth/authorize', needs: 'console' },
  invitation: { address: '/invitation', needs: 'families' },
  license: { address: '/license', needs: 'console' },
  'reset-password': { address: '/reset-password', needs: 'families' },
  'verify-email': { address: '/verify-email', needs: 'families' },
  wizard: { address: '/setup', needs: 'console' },
}

/** The wizard, the pages that mail links open, the licence page, and where an assistant is let in. */
export const setupPages = (): Endpoint[] => {
  const policy = withFloor()
  return BESIDE_CONSOLE.map((name) => {
    const { address, needs } = PAGES[name]
    return openRead({
      ...OPEN,
      id: `pages.${name === 'wizard' ? 'setup' : name}`,
      path: `/${address}`,
      summary: `The page ${address}`,
      reply: content(['text/html']),
      handle: async () => scriptedPage({ name, language: 'en', title: 'Institute', needs, policy }),
    })
  })
}
