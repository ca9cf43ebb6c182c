import type { Settings } from './settings.ts'

/** The interface that the scripts of all three providers have. */
interface Provider {
  render(element: HTMLElement, options: Record<string, unknown>): string | number
  getResponse(widget: string | number): string | undefined
  reset(widget: string | number): void
}

interface Known {
  /** The name of the provider's object on the page. */
  name: 'turnstile' | 'hcaptcha' | 'grecaptcha'
  script: string
}

const READY = 'instituteCaptchaReady'

/** The key says whose it is: hCaptcha's is a UUID, Turnstile's begins with a digit and x, reCAPTCHA's with 6L. */
const providerOf = (siteKey: string): Known => {
  if (/^[\da-f]{8}-/i.test(siteKey)) return { name: 'hcaptcha', script: 'https://js.hcaptcha.com/1/api.js' }
  if (/^\dx/i.test(siteKey)) {
    return { name: 'turnstile', script: 'https://challenges.cloudflare.com/turnstile/v0/api.js' }
  }
  return { name: 'grecaptcha', script: 'https://www.google.com/recaptcha/api.js' }
}

/** Shared by all forms on the page, each of which runs its own copy of this script. */
const page = window as unknown as Record<string, unknown>

const load = ({ name, script }: Known, { nonce, locale }: Settings): Promise<Provider> => {
  const loading = `instituteCaptcha_${name}`
  page[loading] ??= new Promise<Provider>((resolve, reject) => {
    const found = () => page[name] as Provider | undefined
    const present = found()
    if (present && typeof present.render === 'function') {
      resolve(present)
      return
    }
    const ready = `${READY}_${name}`
    page[ready] = () => resolve(found() as Provider)
    const element = document.createElement('script')
    element.src = `${script}?render=explicit&onload=${ready}&hl=${locale}`
    element.async = true
    if (nonce !== '') element.nonce = nonce
    element.addEventListener('error', () => reject(new Error(`${script} could not be loaded`)))
    document.head.append(element)
  })
  return page[loading] as Promise<Provider>
}

export interface Captcha {
  /** undefined: the visitor has not solved it. */
  token(): string | undefined
  /** Asks for a new token, because each counts once. */
  reset(): void
}

/**
 * Shows the captcha in an element that must be in the page itself: the providers do not support shadow roots.
 * @throws Error when the provider's script cannot be loaded
 */
export const showCaptcha = async (settings: Settings, siteKey: string, element: HTMLElement): Promise<Captcha> => {
  const { theme, locale } = settings
  const provider = await load(providerOf(siteKey), settings)
  const isDark = theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  const widget = provider.render(element, {
    sitekey: siteKey,
    theme: isDark ? 'dark' : 'light',
    language: locale,
    hl: locale,
  })
  return {
    token: () => provider.getResponse(widget) || undefined,
    reset: () => provider.reset(widget),
  }
}
