// Asks the server over HTTPS, as this browser would: what it does not trust, it does not fetch.

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
const byId = (id, kind) => {
  const found = document.querySelector(`#${id}`)
  if (found instanceof kind) return found
  throw new TypeError(`The page has no #${id}`)
}

/** @param {string} url */
const isTrusted = (url) =>
  fetch(`${url}/api/v1/health/live`, { mode: 'no-cors', cache: 'no-store', credentials: 'omit' }).then(
    () => true,
    () => false,
  )

const button = byId('check', HTMLButtonElement)
const [works, fails, said] = [byId('works', HTMLElement), byId('fails', HTMLElement), byId('checking', HTMLElement)]

const check = async () => {
  works.hidden = true
  fails.hidden = true
  button.disabled = true
  said.textContent = byId('wait', HTMLTemplateElement).content.textContent
  const isGood = await isTrusted(button.dataset.url ?? '')
  said.textContent = ''
  button.disabled = false
  const shown = isGood ? works : fails
  shown.hidden = false
}

button.addEventListener('click', () => void check())
