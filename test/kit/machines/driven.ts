import { setTimeout as pause } from 'node:timers/promises'

/** A window of a real browser, of any age and maker: what all of them can be told, whatever the protocol. */
export interface DrivenWindow {
  /** Does not wait for the page: `visit` does. */
  open(address: string): Promise<void>
  /** What an expression comes to, as JSON has it. It stands for no promise: WebDriver's first protocol waits for none. */
  evaluate<T>(expression: string): Promise<T>
  /** A PNG; undefined: it makes none. */
  picture?: () => Promise<Buffer>
}

export interface DrivenBrowser extends DrivenWindow {
  close(): Promise<void>
}

const LONGEST_MILLIS = 20_000
const LOOK_AGAIN_MILLIS = 50

/** Waits until an expression is true in the page. @throws Error that says what the page shows instead */
export const until = async (window: DrivenWindow, expression: string): Promise<void> => {
  const end = performance.now() + LONGEST_MILLIS
  while (performance.now() < end) {
    // A page that is being left answers nothing.
    // oxlint-disable-next-line no-await-in-loop -- it waits for the page
    if (await window.evaluate<boolean>(`Boolean(${expression})`).catch(() => false)) return
    // oxlint-disable-next-line no-await-in-loop
    await pause(LOOK_AGAIN_MILLIS)
  }
  const shown = await window.evaluate<string>('document.body.innerText').catch(String)
  throw new Error(`Never came: ${expression}. The page shows: ${shown.slice(0, 500)}`)
}

/** Opens a page, and waits until the one before it is gone. */
export const visit = async (window: DrivenWindow, address: string): Promise<void> => {
  await window.evaluate('(window.isFormerPage = true)')
  await window.open(address)
  await until(window, `!window.isFormerPage && document.readyState !== 'loading'`)
}

const quoted = (text: string): string => JSON.stringify(text)

/** Types into a field as a person does, for what listens to it. @param selector of CSS */
export const type = async (window: DrivenWindow, selector: string, value: string): Promise<void> => {
  await until(window, `document.querySelector(${quoted(selector)})`)
  await window.evaluate(`(function () {
    var field = document.querySelector(${quoted(selector)})
    var proto = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
    field.focus()
    Object.getOwnPropertyDescriptor(proto, 'value').set.call(field, ${quoted(value)})
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.dispatchEvent(new Event('change', { bubbles: true }))
    return true
  })()`)
}

export const press = async (window: DrivenWindow, selector: string): Promise<void> => {
  await until(window, `document.querySelector(${quoted(selector)})`)
  await window.evaluate(`(document.querySelector(${quoted(selector)}).click(), true)`)
}

/** Whether an element is there and takes room. */
export const isShown = (selector: string): string =>
  `(document.querySelector(${quoted(selector)}) && document.querySelector(${quoted(selector)}).getClientRects().length > 0 &&
    getComputedStyle(document.querySelector(${quoted(selector)})).visibility === 'visible')`
