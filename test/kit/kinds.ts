import { permissionsOf } from '#http/admission/access.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { engine } from './app.ts'

const kindOf = ({ access, method, lockExempt }: Endpoint): string =>
  `${permissionsOf(access).length > 0 ? 'permission' : String(access)} ${method === 'GET'} ${lockExempt}`

/**
 * Who a caller is, what the caller may do and how the institute is doing is read from the database by the same
 * statements for all endpoints: on Postgres one endpoint of each kind shows what they find.
 */
export const kindsOnPostgres = <T extends readonly [string, Endpoint]>(endpoints: readonly T[]): T[] =>
  engine === 'postgres' ? [...new Map(endpoints.map((one) => [kindOf(one[1]), one])).values()] : [...endpoints]
