import { announce, byId } from './dom.js'
import { setLabel, setText, t } from './text.js'

const SHOWN_MS = 2500

/** Wires every button[data-copy="<id>"] to copy the text of that element. */
export function wireCopyButtons() {
  for (const button of document.querySelectorAll('button[data-copy]')) {
    const label = /** @type {import('./text.js').TextKey} */ (button.getAttribute('data-t-label'))
    let shown = 0
    const copy = async () => {
      const source = byId(button.getAttribute('data-copy') ?? '')
      if (!(await copyText(source))) return
      announce(t('copy.done'))
      // The accessible name follows the visible text, because voice control uses what the button shows.
      setText(button, 'copy.done')
      setLabel(button, 'copy.done')
      window.clearTimeout(shown)
      shown = window.setTimeout(() => {
        setText(button, 'copy.label')
        setLabel(button, label)
      }, SHOWN_MS)
    }
    button.addEventListener('click', () => void copy())
  }
}

/**
 * The clipboard API exists only on https and localhost. On a plain http address of the local network we use the old
 * copy command. When neither works, the text stays selected, so that the person can copy it.
 * @param {HTMLElement} source
 */
async function copyText(source) {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '')
    return true
  } catch {
    const selection = window.getSelection()
    selection?.selectAllChildren(source)
    const copied = document.execCommand('copy')
    if (copied) selection?.removeAllRanges()
    return copied
  }
}
