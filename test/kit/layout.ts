import type { Page } from 'playwright-core'

/**
 * Runs in the page, and checks each line of text: it must lie inside the window and inside its box, texts must not
 * overlap, and no word of a sentence may be broken. Heights count a little smaller than they are, because the boxes of
 * two lines in a tall script may touch.
 */
const FAULTS = `(() => {
  const faults = []
  const root = document.documentElement
  const say = (what, element, text) => faults.push(what + ': ' + (element.id ? '#' + element.id : element.localName) +
    (element.className ? '.' + element.className : '') + (text ? ' "' + text.trim().slice(0, 60) + '"' : ''))
  if (root.scrollWidth > root.clientWidth)
    faults.push('the page scrolls sideways: ' + root.scrollWidth + ' in ' + root.clientWidth)
  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.closest('.visually-hidden, [data-react-aria-prevent-focus], [data-live-announcer]') && getComputedStyle(element).clipPath === 'none'
  const outside = (inner, outer) => inner.left < outer.left - 1 || inner.right > outer.right + 1
  const view = { left: 0, right: root.clientWidth }

  // What floats over the page, or stays while the page scrolls below it, covers other text for a while.
  const layerOf = (element) => element === null || element.matches('[role=listbox]') ||
    /fixed|sticky/.test(getComputedStyle(element).position) ? element : layerOf(element.parentElement)

  const lines = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!node.data.trim() || !isSeen(parent) || /^(OPTION|SCRIPT|NOSCRIPT)$/.test(parent.tagName)) continue
    let box = parent
    while (getComputedStyle(box).display === 'inline') box = box.parentElement
    const frame = box.getBoundingClientRect()
    const range = document.createRange()
    if (!parent.closest('bdi, code, pre, dd')) {
      for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{M}]+/gu)) {
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const tops = [...range.getClientRects()].map((rect) => Math.round(rect.top))
        if (Math.max(...tops) - Math.min(...tops) > 4) say('broken word', parent, word)
      }
    }
    range.selectNodeContents(node)
    for (const rect of range.getClientRects()) {
      if (rect.width < 1) continue
      if (outside(rect, view)) say('text outside the window', parent, node.data)
      else if (outside(rect, frame)) say('text outside its box', parent, node.data)
      const slack = rect.height * 0.25
      lines.push({ parent, text: node.data, left: rect.left + 1, right: rect.right - 1, top: rect.top + slack,
        bottom: rect.bottom - slack, layer: layerOf(parent) })
    }
  }
  for (const [index, one] of lines.entries()) {
    for (const other of lines.slice(index + 1)) {
      if (one.layer === other.layer && one.left < other.right && other.left < one.right && one.top < other.bottom &&
        other.top < one.bottom) say('text on other text', one.parent, one.text + ' / ' + other.text)
    }
  }

  const pen = document.createElement('canvas').getContext('2d')
  for (const element of document.body.querySelectorAll('*')) {
    if (!isSeen(element)) continue
    const style = getComputedStyle(element)
    if (outside(element.getBoundingClientRect(), view)) say('outside the window', element)
    const clips = style.overflowX !== 'visible' && style.overflowX !== 'auto'
    if (clips && element.localName !== 'input' && element.scrollWidth > element.clientWidth + 1)
      say('cut off', element, element.textContent)
    if (element.localName === 'select' || element.localName === 'input' && !/^(radio|color)$/.test(element.type)) {
      const text = element.localName === 'select' ? element.selectedOptions[0].textContent
        : element.type === 'password' ? '' : element.value || element.placeholder
      pen.font = style.font
      const room = element.clientWidth - parseFloat(style.paddingInlineStart) - parseFloat(style.paddingInlineEnd)
      if (pen.measureText(text).width > room + 1) say('longer than its field', element, text)
    }
  }
  return [...new Set(faults)]
})()`

/** The parts of the page that are cut off or overlap at its present size. */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate<string[]>(FAULTS)

/** The same with text at twice its size and everything else unchanged, as with a browser's text size setting. */
export const layoutFaultsInLargeText = async (page: Page): Promise<string[]> => {
  await page.evaluate('document.documentElement.style.fontSize = "200%"')
  const faults = await layoutFaults(page)
  await page.evaluate('document.documentElement.style.fontSize = ""')
  return faults.filter((fault) => !fault.startsWith('longer than its field'))
}
