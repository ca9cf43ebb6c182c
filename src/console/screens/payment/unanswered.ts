import { useSyncExternalStore } from 'react'
import type { Schemas } from '../../api/client.ts'
import { sessionOwner } from '../../api/session.ts'

/**
 * Payments that were sent and have no answer yet, kept in this browser until one comes: also when the tab is closed
 * meanwhile. They name invoices and amounts, and nobody.
 */
export interface Unanswered {
  /** The name of the intent, by which the server knows it again. */
  name: string
  body: Schemas['NewReceipt']
  askedAt: string
}

const prefix = (): string => `institute.payment.${sessionOwner()}.`

const watchers = new Set<() => void>()
/** Those for whose answer a page of this tab waits. */
const awaited = new Set<string>()

const tell = (): void => {
  for (const watcher of watchers) watcher()
}

export const keepUnanswered = (payment: Unanswered): void => {
  awaited.add(payment.name)
  localStorage.setItem(prefix() + payment.name, JSON.stringify(payment))
  tell()
}

export const forgetUnanswered = (name: string): void => {
  awaited.delete(name)
  localStorage.removeItem(prefix() + name)
  tell()
}

/** The page that waited for its answer is left: the frame goes on asking. */
export const leaveUnanswered = (name: string): void => {
  if (awaited.delete(name)) tell()
}

/** The entries as they lie there, one after the other: they change when one of them does. */
const written = (): string => {
  const start = prefix()
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(start) && !awaited.has(key.slice(start.length)))
    .toSorted()
    .map((key) => localStorage.getItem(key) ?? '')
    .join('\n')
}

const subscribe = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  // Another tab tells by this.
  window.addEventListener('storage', watcher)
  return () => {
    watchers.delete(watcher)
    window.removeEventListener('storage', watcher)
  }
}

/** Of whoever is signed in, but for those for which a page of this tab waits itself. */
export const useUnanswered = (): Unanswered[] => {
  const text = useSyncExternalStore(subscribe, written)
  return text === '' ? [] : text.split('\n').map((one) => JSON.parse(one) as Unanswered)
}
