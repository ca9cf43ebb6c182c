/** Screen readers miss a text that replaces another one at once. */
const AFTER_MILLIS = 100

let announcing = 0

const region = (): HTMLElement => {
  const there = document.querySelector<HTMLElement>('#live')
  if (there) return there
  const made = document.createElement('p')
  made.id = 'live'
  made.className = 'unseen'
  made.ariaLive = 'polite'
  document.body.append(made)
  return made
}

/** Makes screen readers say a text without moving the focus, also where it is the same text as before. */
export const announce = (text: string): void => {
  window.clearTimeout(announcing)
  const live = region()
  live.textContent = ''
  if (text !== '') announcing = window.setTimeout(() => (live.textContent = text), AFTER_MILLIS)
}
