import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { answer, api } from '../api/client.ts'
import type { IntentHeader } from '../api/intents/intent.ts'
import { PLACE_MESSAGE, type PlaceMessage } from '../api/push-place.ts'
import {
  dropForeign,
  forgetRegistered,
  keepRegistered,
  registeredFor,
  watchRegistered,
} from '../api/push-subscription.ts'
import { afterChange, useChange } from '../api/queries.ts'
import { currentVisit, lookEndsAt, sessionId, sessionOwner, useSession } from '../api/session.ts'
import { isOfApple, isOnHomeScreen } from './home-screen.ts'

const WORKER = '/push-worker.js'
const MOST_DEVICES = 100

/**
 * Whether messages come to this browser:
 * - `blocked`: its reader, or whoever set it up, has forbidden it;
 * - `insecure`: browsers do it over HTTPS alone;
 * - `homeScreenFirst`: an iPhone or iPad does it once the console is on the home screen;
 * - `unable`: the browser does not do it.
 */
export type Push = 'on' | 'off' | 'blocked' | 'insecure' | 'homeScreenFirst' | 'unable'

const state = (): Push => {
  if (!isSecureContext) return 'insecure'
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- missing in some browsers, and in private windows of others
  if (!navigator.serviceWorker || !('PushManager' in window) || !('Notification' in window)) {
    return isOfApple() && !isOnHomeScreen() ? 'homeScreenFirst' : 'unable'
  }
  if (Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && registeredFor(sessionOwner()) ? 'on' : 'off'
}

const ANSWERED = 'institute-push-answered'

/** Permissions are changed beside the page too. */
const subscribe = (watcher: () => void): (() => void) => {
  const leave = watchRegistered(watcher)
  for (const event of [ANSWERED, 'focus']) addEventListener(event, watcher)
  return () => {
    leave()
    for (const event of [ANSWERED, 'focus']) removeEventListener(event, watcher)
  }
}

/** Asks for the browser's permission. Browsers want a tap for it. @returns `default`: it was not answered */
export const askForPush = async (): Promise<NotificationPermission> => {
  const permission = await Notification.requestPermission()
  dispatchEvent(new Event(ANSWERED))
  return permission
}

export const usePush = (): Push => useSyncExternalStore(subscribe, state)

const base64url = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** A subscription that lets this server in. What still comes by another one is for somebody else, or from elsewhere. */
const subscribed = async (applicationServerKey: string): Promise<PushSubscription> => {
  await navigator.serviceWorker.register(WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  const former = await pushManager.getSubscription()
  if (former && base64url(former.options.applicationServerKey) !== applicationServerKey) await former.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}

/** Tells the server of this browser, unless it knows of it as it is. */
const register = async (header: IntentHeader): Promise<void> => {
  const owner = sessionOwner()
  await dropForeign(owner)
  const { applicationServerKey } = await answer(api.GET('/me/push-key'))
  const { endpoint, keys } = (await subscribed(applicationServerKey)).toJSON()
  const now = { sessionId: sessionId(), endpoint: endpoint ?? '', applicationServerKey }
  const former = registeredFor(owner)
  if (former && JSON.stringify(former) === JSON.stringify(now)) return
  const { p256dh = '', auth = '' } = keys ?? {}
  const body = { endpoint: now.endpoint, keys: { p256dh, auth }, applicationServerKey }
  await answer(api.POST('/me/devices', { params: { header }, body }))
  keepRegistered(owner, now)
}

/** Who asks for messages here wants them, though they once switched those to browsers off. */
const wantThem = async (): Promise<void> => {
  const { preferences } = await answer(api.GET('/notification-preferences'))
  const kept = preferences.find(({ channel }) => channel === 'push')
  if (!kept || kept.enabled) return
  await answer(api.PUT('/notification-preferences', { body: { preferences: [{ ...kept, enabled: true }] } }))
}

/**
 * Has messages come to this browser, whose reader has allowed it.
 * @throws Problem; DOMException where the browser does not reach its push service
 */
export const useTurnPushOn = (onSuccess: () => void) =>
  useChange(
    'devices',
    async (_: undefined, header) => {
      await register(header)
      await wantThem()
    },
    onSuccess,
  )

export const useTurnPushOff = (onSuccess: () => void) =>
  useChange(
    'devices',
    async () => {
      const { data } = await answer(api.GET('/me/devices', { params: { query: { limit: MOST_DEVICES } } }))
      const here = data.find(({ current }) => current)
      if (here) await answer(api.DELETE('/me/devices/{id}', { params: { path: { id: here.id } } }))
      await forgetRegistered(sessionOwner())
    },
    onSuccess,
  )

/**
 * Keeps what the server knows of this browser as it is: a session that began anew, another address at the push service,
 * another key of the institute. Without messages here it asks for nothing.
 */
const useKeptPush = (): void => {
  const { mutate } = useChange('devices', (_: string, header) => register(header))
  const isIn = useSession() === 'in'
  // Whoever works in somebody's name, or looks as a role, changes nothing of what is their own.
  const session = isIn && !currentVisit() && lookEndsAt() === undefined ? sessionId() : ''
  useEffect(() => {
    if (session === '') return
    // Where it fails, the next page tries again.
    if (state() === 'on') mutate(session)
    else dropForeign(sessionOwner()).catch(() => {})
  }, [session, mutate])
}

/**
 * Goes where a message leads that somebody tapped, in this page rather than in another one. It stays where something has been
 * typed or a question is open: that would be lost.
 */
const usePushedPlaces = (): void => {
  const [address, go] = useLocation()
  const isIn = useSession() === 'in'
  const typedAt = useRef<string>(undefined)
  useEffect(() => {
    const note = (): void => {
      typedAt.current = address
    }
    const hear = ({ data, ports }: MessageEvent<PlaceMessage>): void => {
      if (data.name !== PLACE_MESSAGE || Date.now() > data.until) return
      const isBusy = typedAt.current === address || document.querySelector('[role=dialog], [role=alertdialog]') !== null
      const isTaken = isIn && !isBusy
      ports[0]?.postMessage(isTaken)
      if (!isTaken) return
      go(data.path)
      void afterChange('pushed')
    }
    document.addEventListener('input', note, true)
    // oxlint-disable-next-line typescript/no-unnecessary-condition -- missing on plain HTTP
    navigator.serviceWorker?.addEventListener('message', hear)
    return () => {
      document.removeEventListener('input', note, true)
      // oxlint-disable-next-line typescript/no-unnecessary-condition -- missing on plain HTTP
      navigator.serviceWorker?.removeEventListener('message', hear)
    }
  }, [address, go, isIn])
}

/** For every page of whoever is signed in. */
export const usePushHere = (): void => {
  useKeptPush()
  usePushedPlaces()
}
