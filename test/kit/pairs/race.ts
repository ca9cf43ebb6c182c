import { isDeepStrictEqual } from 'node:util'
import type { TestApp } from '../app.ts'
import { sendExample, worldOf, type Example, type World } from '../examples.ts'
import type { Client, Reply } from '../client.ts'
import { makeInstitute } from '../institute.ts'
import { formed, nameOf, type Form, type Learnt } from './forms.ts'
import { endedOrWaiting, type Gate } from './gate.ts'
import { follow, stateOf, withAt, type Way } from './records.ts'

/** Two changes, and the records of the first that the second names. */
export interface Pair {
  first: { learnt: Learnt; form: Form }
  second: { learnt: Learnt; form: Form }
  /** Where the second names a record, and how to find it from the first's example. */
  aim: readonly { place: string; way: Way }[]
}

export const describePair = ({ first, second, aim }: Pair): string => {
  const aimed = aim.map(
    ({ place, way }) => `${place} = ${[way.place, ...way.columns.map((c) => c.column)].join(' → ')}`,
  )
  return `${nameOf(first.form)} × ${nameOf(second.form)} (${aimed.join(', ') || 'each its own records'})`
}

/** The replies and the resulting rows. */
export interface Outcome {
  first: string
  second: string
  state: string[]
  /** How many deadlocks the database broke; the transaction ran again. */
  collisions: number
}

/** Which of the two goes first. */
export type Order = 'first' | 'second'

export interface InTurn extends Outcome {
  /** How many statements the first one had. */
  statements: number
}

interface Request {
  send(): Promise<Reply>
}

// A reply that succeeds may have a field of that name, too.
const said = ({ status, body }: Reply): string => (status < 400 ? String(status) : `${status} ${body?.error?.code}`)

const request = ({ learnt }: { learnt: Learnt }, example: Example, owner: Client): Request => ({
  send: () => sendExample(learnt.endpoint, example, example.as ?? owner),
})

/** Runs pairs in one program, one pair at a time. */
export class Ring {
  readonly #app: TestApp
  readonly #gate: Gate
  readonly #errors: string[]

  /** @param errors the program's error log, which grows as it runs */
  constructor(app: TestApp, gate: Gate, errors: string[]) {
    this.#app = app
    this.#gate = gate
    this.#errors = errors
  }

  /** Whether transactions can be paused. */
  get canStop(): boolean {
    return this.#app.app.database.engine === 'postgres'
  }

  /** The errors since the last call, one line each. */
  takeErrors(): string[] {
    return this.#errors.splice(0).map((line) => {
      const { err, msg } = JSON.parse(line) as { err?: { stack?: string }; msg: string }
      const stack = (err?.stack ?? msg).split('\n').filter((part) => !/node_modules|node:internal/.test(part))
      return `  ${stack.slice(0, 4).join(' ')}`
    })
  }

  /** Makes a new institute with the two requests. undefined: a record that the second needs does not exist. */
  async #set(pair: Pair): Promise<{ world: World; first: Request; second: Request } | undefined> {
    const world = worldOf(this.#app, await makeInstitute(this.#app))
    const one = formed(await pair.first.learnt.make(world), pair.first.form)
    const isSame = pair.first.learnt === pair.second.learnt && pair.aim.length > 0
    // Send the same request twice, unless it names other records: a one-time token, for example, exists once.
    let other = formed(isSame ? one : await pair.second.learnt.make(world), pair.second.form)
    for (const { place, way } of pair.aim) {
      const id = await follow(this.#app, one, way)
      if (id === undefined) return undefined
      other = withAt({ body: {}, ...other }, place, id)
    }
    return { world, first: request(pair.first, one, world.owner), second: request(pair.second, other, world.owner) }
  }

  async #outcome({ institute }: World, first: Reply, second: Reply): Promise<Outcome> {
    const { collisions } = this.#gate
    this.#gate.collisions = 0
    return {
      first: said(first),
      second: said(second),
      state: await stateOf(this.#app, institute.tenant.id),
      collisions,
    }
  }

  /** Runs one after the other. */
  async inTurn(pair: Pair, order: Order): Promise<InTurn | undefined> {
    const set = await this.#set(pair)
    if (!set) return undefined
    const counted = this.#gate.hold(0)
    const replies: Record<string, Reply> = { [order]: await set[order].send() }
    counted.resume()
    const last = order === 'first' ? 'second' : 'first'
    replies[last] = await set[last].send()
    const outcome = await this.#outcome(set.world, replies['first'] as Reply, replies['second'] as Reply)
    return { ...outcome, statements: counted.seen }
  }

  /**
   * Runs two requests at once: the first pauses after so many statements until the second has ended or waits for it.
   * Where transactions cannot be paused, both just run.
   */
  async stopped<R>(first: () => Promise<R>, second: () => Promise<R>, after: number): Promise<[R, R]> {
    if (!this.canStop) return Promise.all([first(), second()])
    const held = this.#gate.hold(after)
    const begun = first()
    await Promise.race([held.reached, begun])
    held.letPass()
    const other = second()
    await endedOrWaiting(this.#app.app.database, other)
    held.resume()
    return [await begun, await other]
  }

  /** How many deadlocks the database broke since the last call. */
  takeCollisions(): number {
    const { collisions } = this.#gate
    this.#gate.collisions = 0
    return collisions
  }

  /** Runs both at once: `order` begins, and pauses after so many statements. */
  async atOnce(pair: Pair, order: Order, after: number): Promise<Outcome | undefined> {
    const set = await this.#set(pair)
    if (!set) return undefined
    const { first, second } = set
    if (order === 'first') {
      const replies = await this.stopped(first.send, second.send, after)
      return this.#outcome(set.world, ...replies)
    }
    const [last, begun] = await this.stopped(second.send, first.send, after)
    return this.#outcome(set.world, begun, last)
  }
}

/** Whether the outcome is one that a serial order allows, without a deadlock. */
export const isInTurn = (found: Outcome, allowed: readonly Outcome[]): boolean =>
  found.collisions === 0 &&
  allowed.some(
    ({ first, second, state }) =>
      first === found.first && second === found.second && isDeepStrictEqual(state, found.state),
  )

const only = (rows: readonly string[], others: readonly string[]): string[] => {
  const left = [...others]
  return rows.filter((row) => {
    const index = left.indexOf(row)
    if (index !== -1) left.splice(index, 1)
    return index === -1
  })
}

/** Compares the outcome with those of the serial orders. */
export const explain = (found: Outcome, allowed: readonly Outcome[]): string => {
  const lines = allowed.map(({ first, second, state }) => {
    if (first !== found.first || second !== found.second) return `  in turn: ${first} and ${second}`
    const more = only(found.state, state).map((row) => `    + ${row}`)
    const fewer = only(state, found.state).map((row) => `    - ${row}`)
    return ['  in turn the same, but:', ...more, ...fewer].join('\n')
  })
  if (found.collisions > 0) lines.push(`  they waited for each other (${found.collisions})`)
  return [`  at once: ${found.first} and ${found.second}`, ...new Set(lines)].join('\n')
}
