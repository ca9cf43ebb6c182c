import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'

export type Cheque = Schemas['Cheque']
export type Status = Cheque['status']

export const STATUSES = [
  'held',
  'due',
  'deposited',
  'cleared',
  'bounced',
  'returned',
  'replaced',
] as const satisfies readonly Status[]

interface Narrow {
  q: string | undefined
  status: Status | undefined
  branchId: string | undefined
  guardianId: string | undefined
  dueFrom?: string
  dueTo?: string
}

const A_PAGE = 100

/** By their day. */
export const useCheques = ({ q, status, branchId, guardianId, dueFrom, dueTo }: Narrow) =>
  usePages<Cheque>(['/cheques', 'list', q, status, branchId, guardianId, dueFrom, dueTo], (cursor, signal) => {
    const query = {
      ...(q && { q }),
      ...(status && { status }),
      ...(branchId && { branchId }),
      ...(guardianId && { guardianId }),
      ...(dueFrom && { dueFrom }),
      ...(dueTo && { dueTo }),
      ...(cursor && { cursor }),
      limit: A_PAGE,
    }
    return answer(api.GET('/cheques', { params: { query }, signal }))
  })

/** The lists with which cheques were taken to the bank, the newest first. */
export const useDeposits = () =>
  usePages<Schemas['ChequeDeposit']>(['/cheques', 'deposits'], (cursor, signal) =>
    answer(api.GET('/cheques/deposits', { params: { query: { ...(cursor && { cursor }), limit: 25 } }, signal })),
  )
