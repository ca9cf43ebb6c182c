/** What Chromium gives to a page that can be put on the home screen; types of the DOM lack it. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

export const OFFERED = 'beforeinstallprompt'

let offered: InstallPrompt | undefined

/** Keeps what the browser offers until somebody wants it. It comes once, before anything is drawn, and over HTTPS alone. */
export const keepInstallPrompt = (): void =>
  addEventListener(OFFERED, (event) => {
    event.preventDefault()
    offered = event as InstallPrompt
  })

export const installPrompt = (): InstallPrompt | undefined => offered
