import { randomName } from '../random.ts'
import { senderOf, type Answer, type Policy } from './sender.ts'
import type { Kept } from './store.ts'

/** A request that was sent and has no answer yet. */
export interface KeptRequest<Body> extends Kept {
  body: Body
}

/** The server knows a request again for a day: an hour less is safe. */
const KNOWN_MILLIS = 23 * 3_600_000

export const isTooOld = ({ savedAt }: Kept): boolean => Date.now() - Date.parse(savedAt) > KNOWN_MILLIS

/**
 * Sends requests of one kind, each by itself, and asks again until an answer comes: also once its page or its tab is
 * gone. A page says while it waits for an answer itself; of all others the frame tells.
 */
export const keptSenderOf = <Body, Reply>(
  policy: Pick<Policy<KeptRequest<Body>, Reply>, 'kind' | 'change' | 'send' | 'onReply' | 'bringFormer'>,
) => {
  const sender = senderOf<KeptRequest<Body>, Reply>({
    ...policy,
    lineOf: ({ key }) => key,
    isOver: isTooOld,
    isKeptInMemory: true,
  })
  /** Those for whose answer a page of this tab waits. */
  const awaited = new Set<string>()

  /** Calls back with each answer, and whether a page of this tab waits for it. */
  const onAnswer = (listener: (answer: Answer<KeptRequest<Body>, Reply>, isAwaited: boolean) => void): (() => void) =>
    sender.onAnswer((heard) => listener(heard, awaited.has(heard.key)))

  return {
    onAnswer,

    /**
     * Sends a request, and asks again until an answer comes.
     * @param listener called once, unless `ignore` was called before
     * @returns `isUnanswered`, once it was sent, says whether its answer was lost
     */
    take: (body: Body, listener: (answer: Answer<KeptRequest<Body>, Reply>) => void) => {
      const key = randomName()
      const ignore = onAnswer((heard) => {
        if (heard.key !== key) return
        ignore()
        listener(heard)
      })
      const keepAndSend = async (): Promise<boolean> => {
        await sender.save(() => ({ kept: { key, body, savedAt: new Date().toISOString(), isTried: false } }))
        await sender.sendLine(key)
        return sender.kept().some((one) => one.key === key)
      }
      return { key, isUnanswered: keepAndSend(), askAgain: () => void sender.sendLine(key), ignore }
    },

    /** Says that a page of this tab waits for an answer. @returns says that it no longer does */
    awaits: (key: string): (() => void) => {
      awaited.add(key)
      sender.tell()
      return () => {
        // Once all have heard the answer that want to know whether a page waits for it.
        queueMicrotask(() => {
          if (awaited.delete(key)) sender.tell()
        })
      }
    },

    /** Gives up a request of which the server can no longer be asked. */
    forget: ({ id }: Kept): Promise<void> => sender.drop([id]),

    /**
     * Those of whoever is signed in that have no answer yet, but for those for which a page of this tab waits. Of what is
     * too old no page hears any more.
     */
    useUnanswered: (): KeptRequest<Body>[] => sender.useKept().filter((one) => !awaited.has(one.key) || isTooOld(one)),

    useSending: sender.useSending,

    /** For what a former version of the console kept elsewhere. */
    save: sender.save,
  }
}

export type KeptSender<Body, Reply> = ReturnType<typeof keptSenderOf<Body, Reply>>
