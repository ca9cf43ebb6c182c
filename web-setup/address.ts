/** What the address of the page says, and keeps. */

export const asked = (name: string): string | null => new URLSearchParams(location.search).get(name)

/** @param value null removes it */
export const keepInAddress = (name: string, value: string | null): void => {
  const url = new URL(location.href)
  if (value === null) url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  history.replaceState(history.state, '', url)
}
