import axe from 'axe-core'
import type { CDPSession, Page } from 'playwright-core'

/** The language in which every screen is shown to violationsOfLook. */
export const LOOKED_AT = 'en'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The parts of axe's result that we read. */
interface Results {
  violations: { id: string; impact: string; nodes: { target: string[]; failureSummary?: string }[] }[]
}

const tell = ({ violations }: Results): string[] =>
  violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${impact}) at ${target.join(' ')}: ${failureSummary ?? ''}`),
  )

/** Runs axe from outside the page, so that the page's own content security policy stays in force. */
const run = async (page: Page, runOnly: object, rules: object = {}): Promise<string[]> => {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  // Only rules that we do not ask for need the style sheets once more.
  const options = JSON.stringify({ runOnly, rules, resultTypes: ['violations'], preload: false })
  return tell(await page.evaluate<Results>(`axe.run(document, ${options})`))
}

/** The violations that axe-core finds on the page as it is shown now. */
export const violations = async (page: Page): Promise<string[]> =>
  run(page, RULES, (await page.locator('[role=listbox]:visible').count()) > 0 ? NOT_BESIDE_A_LIST : undefined)

/**
 * While a list is open it is all that there is for a screen reader, beside the field that it belongs to: what else is on
 * the page is hidden from it, and the Tab key closes the list before it gets there.
 */
const NOT_BESIDE_A_LIST = { 'aria-hidden-focus': { enabled: false }, 'page-has-heading-one': { enabled: false } }

/** Rules that a mail does not follow: the page of the mail program around it does. */
const OF_PAGES = ['landmark-one-main', 'page-has-heading-one', 'region']
const NOT_OF_PAGES = Object.fromEntries(OF_PAGES.map((rule) => [rule, { enabled: false }]))

/** The violations that axe-core finds in a mail, as a mail program shows it. */
export const violationsOfMail = (page: Page): Promise<string[]> => run(page, RULES, NOT_OF_PAGES)

const RULES_OF_LOOK = { type: 'rule', values: ['color-contrast', 'link-in-text-block', 'target-size'] }

/** The violations that depend on the colours, in dark ones. Languages share the style sheets: LOOKED_AT is enough. */
export const violationsInDark = async (page: Page): Promise<string[]> => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const faults = await run(page, RULES_OF_LOOK)
  await page.emulateMedia({ colorScheme: 'light' })
  return faults.map((fault) => `in dark colours: ${fault}`)
}

/** The violations that depend on the size of the window, in light and dark colours. */
export const violationsOfLook = async (page: Page): Promise<string[]> => [
  ...(await run(page, RULES_OF_LOOK)),
  ...(await violationsInDark(page)),
]

interface AxNode {
  ignored: boolean
  role?: { value: string }
  name?: { value: string }
  description?: { value: string }
  properties?: { name: string; value: { value?: unknown } }[]
}

const withTree = async <T>(page: Page, read: (session: CDPSession) => Promise<T>): Promise<T> => {
  const session = await page.context().newCDPSession(page)
  try {
    return await read(session)
  } finally {
    await session.detach()
  }
}

const NAMED = /^(button|link|textbox|combobox|listbox|option|radio|radiogroup|group|navigation|region|heading|image)$/i

/**
 * Controls, groups and headings without an accessible name, or with one that is no text of a language: a key of the
 * catalogue, or a placeholder that nothing filled in.
 */
export const badlyNamed = (page: Page): Promise<string[]> =>
  withTree(page, async (session) => {
    const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: AxNode[] }
    return nodes
      .filter(({ ignored, role }) => !ignored && NAMED.test(role?.value ?? ''))
      .map(({ role, name }) => ({ role: role?.value ?? '', name: name?.value.trim() ?? '' }))
      .filter(({ name }) => name === '' || /^[a-z]+(\.[a-zA-Z]+)+$|[{}`]/.test(name))
      .map(({ role, name }) => `${role} "${name}"`)
  })

/** What a screen reader says about an element, as the browser computes it. */
export interface Spoken {
  name: string
  description: string
  invalid: boolean
}

export const spoken = (page: Page, id: string): Promise<Spoken> =>
  withTree(page, async (session) => {
    const expression = `document.getElementById(${JSON.stringify(id)})`
    const { result } = await session.send('Runtime.evaluate', { expression })
    const { nodes } = await session.send('Accessibility.getPartialAXTree', {
      ...(result.objectId !== undefined && { objectId: result.objectId }),
      fetchRelatives: false,
    })
    const node = nodes[0] as AxNode | undefined
    const invalid = node?.properties?.find((property) => property.name === 'invalid')?.value.value
    return {
      name: node?.name?.value ?? '',
      description: node?.description?.value ?? '',
      invalid: invalid === 'true',
    }
  })
