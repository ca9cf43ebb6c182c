import path from 'node:path'
import { isLoopbackHost } from '#kernel/basics/network.ts'
import type { Config } from './config.ts'

/** One key of the configuration, and how its values are read. */
export interface Setting {
  /** The allowed values, in words. */
  allowed: string
  /** What it means, for --help. */
  about: string
  /** The value that holds when none is given. */
  default?: string
  /** What applies when no value is given, in words, if there is no default value. */
  without?: string
  /** The allowed values, where they can be counted. */
  choices?: readonly string[]
  /** The value names a file or folder. */
  isPath?: boolean
  /** Hardly anybody changes it: --help leaves it to `institute settings`. */
  isRare?: boolean
  /** The value is a secret: no message repeats it. */
  secret?: boolean
  /** @returns undefined when the value is not allowed */
  read(text: string, config: Config): Partial<Config> | undefined
}

export const integer = (text: string, min: number, max: number): number | undefined => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

export const wholeNumber =
  (min: number, max: number, make: (value: number) => Partial<Config>) =>
  (text: string): Partial<Config> | undefined => {
    const value = integer(text, min, max)
    return value === undefined ? undefined : make(value)
  }

export const oneOf =
  <T extends string>(values: readonly T[], make: (value: T) => Partial<Config>) =>
  (text: string): Partial<Config> | undefined => {
    const value = values.find((one) => one === text)
    return value === undefined ? undefined : make(value)
  }

export const ON_OFF = ['on', 'off'] as const
export const onOff = (make: (value: boolean) => Partial<Config>) => oneOf(ON_OFF, (value) => make(value === 'on'))

export const url =
  (schemes: readonly string[], make: (value: string) => Partial<Config>) =>
  (text: string): Partial<Config> | undefined => {
    const parsed = URL.parse(text)
    return parsed && schemes.includes(parsed.protocol) ? make(text) : undefined
  }

/** @returns the URL without a slash at its end; undefined for one that is no root of a web server */
const rootOf = (text: string): string | undefined => {
  const parsed = URL.parse(text)
  const isRoot = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`
  return isRoot ? parsed.origin : undefined
}

/** The address of a web server, with no path behind the host. */
export const root =
  (make: (value: string) => Partial<Config>) =>
  (text: string): Partial<Config> | undefined => {
    const found = rootOf(text)
    return found === undefined ? undefined : make(found)
  }

/** Names and addresses without a port, as they stand in URLs. */
export const hosts =
  (make: (value: string[]) => Partial<Config>) =>
  (text: string): Partial<Config> | undefined => {
    const found = text.split(',').map((host) => URL.parse(`http://${host.trim()}`))
    const areHosts = found.every((one) => one !== null && one.href === `http://${one.hostname}/`)
    return areHosts ? make(found.map((one) => (one as URL).hostname)) : undefined
  }

/** @returns the URL without a slash at its end; undefined for one that is no server's root, or plain http elsewhere */
export const serverRoot = (text: string): string | undefined => {
  const address = rootOf(text)
  const isAllowed =
    address?.startsWith('https:') || (address !== undefined && isLoopbackHost(new URL(address).hostname))
  return isAllowed ? address : undefined
}

/** Where files lie: an http(s) address, or the full path of a folder. @returns undefined for neither */
export const addressOrFolder = (text: string): string | undefined => {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return path.resolve(text)
  const parsed = URL.parse(text)
  const isAddress = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.search === '' && parsed.hash === ''
  return isAddress ? text : undefined
}
