import { make } from './dom.ts'
import { showForm } from './form.ts'
import { settingsOf } from './settings.ts'
import { applyStyle } from './style.ts'
import { directionOf } from '../shared/locale.ts'
import { TEXTS } from './words/index.ts'

/** The registration form that an institute puts into its own website, with one script element for each form. */

/** The form is for Chromium 92, Firefox 91, Safari 15.4 and what came after them, which are the first with `at`. */
const IS_TOO_OLD = !('at' in Array.prototype)

/** Marks script elements whose form is shown. All copies of this script on a page share it. */
const SHOWN = Symbol.for('institute.widget.shown')

const showAt = (script: HTMLScriptElement): void => {
  const marked = script as unknown as Record<symbol, true>
  if (marked[SHOWN]) return
  marked[SHOWN] = true
  const settings = settingsOf(script)
  if (!settings) return
  // Not a div, so that fewer rules of the website apply to it.
  const host = document.createElement('institute-registration')
  if (IS_TOO_OLD) {
    const words = make('p', { lang: settings.locale, dir: directionOf(settings.locale) }, TEXTS[settings.locale].broken)
    host.append(words)
  } else {
    const root = host.attachShadow({ mode: 'open' })
    applyStyle(root)
    showForm(host, root, settings)
  }
  if (script.closest('head')) document.body.append(host)
  else script.after(host)
}

const isWidget = ({ src }: HTMLScriptElement): boolean => src !== '' && new URL(src).pathname.endsWith('/widget.js')

/** A script in the head may run before there is a body, and modules do not know their own element. */
const showAll = (): void => {
  for (const script of document.querySelectorAll<HTMLScriptElement>('script[src]')) {
    if (isWidget(script)) showAt(script)
  }
}

const { currentScript } = document
if (currentScript instanceof HTMLScriptElement && !currentScript.closest('head')) showAt(currentScript)
else if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', showAll)
else showAll()
