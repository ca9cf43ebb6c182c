// oxlint-disable-next-line typescript/no-explicit-any -- replies are read where their shape is known
export type Row = any

/** What a check found. */
export interface Finding {
  what: string
  ok: boolean
  detail: string
}

export type Find = (what: string, ok: boolean, detail: string) => void

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Whether both have the same values, each as often, in any order. */
export const same = (a: Iterable<string>, b: Iterable<string>): boolean => {
  const [left, right] = [[...a].toSorted(), [...b].toSorted()]
  return left.length === right.length && left.every((value, index) => value === right[index])
}

/** The error of a call that must be refused; '' when it was answered well. */
export const refusalOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => '',
    (error: unknown) => (error as Error).message,
  )

const DAY_MILLIS = 24 * 3600 * 1000

/** Of the institute's zone, where a day begins before that of UTC. */
const jerusalem = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Jerusalem' })

/** The day so many days from now, as YYYY-MM-DD. */
export const dayFromNow = (days: number): string => jerusalem.format(Date.now() + days * DAY_MILLIS)
