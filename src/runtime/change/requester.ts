import { AsyncLocalStorage } from 'node:async_hooks'
import type { Requester } from '#kernel/contract/fair-line.ts'

/** The program itself, where nobody asks: its own institute, in which it takes turns with all others. */
const PROGRAM: Requester = { clients: ['', ''], isPatient: true }

const requesters = new AsyncLocalStorage<Requester>()

/** Runs work for somebody. What is slow in it (a paper, a long read) waits in their place. */
export const workFor = <T>(
  { tenantId, id, isJob }: { tenantId: string | null; id: string; isJob: boolean },
  work: () => T,
): T => requesters.run({ clients: [tenantId ?? '', id], isPatient: isJob }, work)

/** For whom this runs. */
export const requester = (): Requester => requesters.getStore() ?? PROGRAM
