/** What the page itself says where its script does not run: src/app/pages/trouble.ts. */

const state = () => document.documentElement.dataset['trouble']

/**
 * Says so when something fails that nobody has foreseen: the page would wait for ever, or a button do nothing.
 * @throws {Error} where the page says that this browser is too old: nothing else of it runs
 */
export function watchTrouble() {
  if (state() === 'old') throw new Error('This browser is too old for the page')
  window.addEventListener('unhandledrejection', () => window.dispatchEvent(new Event('trouble')))
}

/** Hides what the page says until it has started, unless a part of it did not come. */
export function tellStarted() {
  const box = document.getElementById('trouble')
  if (box && state() === undefined) box.hidden = true
}
