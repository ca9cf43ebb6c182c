// Asks the server over HTTPS, as this browser would: what it does not trust, it does not fetch.
const byId = (id) => document.querySelector(`#${id}`)
const button = byId('check')

const isTrusted = (url) =>
  fetch(`${url}/api/v1/health/live`, { mode: 'no-cors', cache: 'no-store', credentials: 'omit' }).then(
    () => true,
    () => false,
  )

button.addEventListener('click', async () => {
  const [works, fails, status] = [byId('works'), byId('fails'), byId('checking')]
  works.hidden = true
  fails.hidden = true
  button.disabled = true
  status.textContent = byId('wait').content.textContent
  const isGood = await isTrusted(button.dataset.url)
  status.textContent = ''
  button.disabled = false
  const shown = isGood ? works : fails
  shown.hidden = false
})
