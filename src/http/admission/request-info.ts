import type { Context } from 'koa'
import type { RequestInfo } from '#kernel/contract/endpoint.ts'
import { LOCALES, type Locale } from '#shared/locale.ts'
import { networkOf } from '#kernel/basics/network.ts'

/** The request information for handlers. It is computed only when a handler asks for it. */
export class ContextInfo implements RequestInfo {
  readonly requestId: string
  readonly #ctx: Context

  constructor(ctx: Context, requestId: string) {
    this.#ctx = ctx
    this.requestId = requestId
  }

  get ip(): string {
    return this.#ctx.ip
  }
  get network(): string {
    return networkOf(this.#ctx.ip)
  }
  get host(): string {
    return this.#ctx.hostname
  }
  get origin(): string {
    return `${this.#ctx.protocol}://${this.#ctx.host}`
  }
  get userAgent(): string | null {
    return this.header('user-agent') ?? null
  }

  get peer(): string {
    return this.#ctx.req.socket.remoteAddress ?? ''
  }
  get httpVersion(): string {
    return this.#ctx.req.httpVersion
  }

  locale(usual: Locale): Locale {
    const locales = [usual, ...LOCALES]
    return locales.find((one) => one === this.#ctx.acceptsLanguages(locales)) ?? usual
  }
  header(name: string): string | undefined {
    return this.#ctx.get(name) || undefined
  }
  cookie(name: string): string | undefined {
    return this.#ctx.cookies.get(name)
  }
  setCookie(
    name: string,
    value: string | null,
    { path, maxAgeSeconds }: { path: string; maxAgeSeconds: number },
  ): void {
    this.#ctx.cookies.set(name, value, {
      path,
      maxAge: maxAgeSeconds * 1000,
      httpOnly: true,
      sameSite: 'strict',
      secure: this.#ctx.secure,
    })
  }
}
