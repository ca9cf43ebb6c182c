import { isDeepStrictEqual } from 'node:util'
import type { TestApp } from '../app.ts'
import { sendExample, worldOf, type Example, type World } from '../examples.ts'
import type { Client, Reply } from '../client.ts'
import { makeInstitute } from '../institute.ts'
import { formed, nameOf, type Form, type Learnt } from './forms.ts'
import { endedOrWaiting, type Gate } from './gate.ts'
import { follow, stateOf, withAt, type Way } from './records.ts'

/** Two changes, and which records of the first the second names. */
export interface Pair {
  first: { learnt: Learnt; form: Form }
  second: { learnt: Learnt; form: Form }
  /** Where the second names a record, and the way to it from the first's example. */
  aim: readonly { place: string; way: Way }[]
}

export const describePair = ({ first, second, aim }: Pair): string => {
  const aimed = aim.map(
    ({ place, way }) => `${place} = ${[way.place, ...way.columns.map((c) => c.column)].join(' → ')}`,
  )
  return `${nameOf(first.form)} × ${nameOf(second.form)} (${aimed.join(', ') || 'each its own records'})`
}

/** What came of it. */
export interface Outcome {
  first: string
  second: string
  state: string[]
  /** How often the two waited for each other until the database ended one, which ran again. */
  collisions: number
}

/** Which of the two goes first. */
export type Order = 'first' | 'second'

export interface InTurn extends Outcome {
  /** Of the one that went first. */
  statements: number
}

interface Request {
  send(): Promise<Reply>
}

const said = ({ status, body }: Reply): string =>
  body?.error === undefined ? String(status) : `${status} ${body.error.code}`

const request = ({ learnt }: { learnt: Learnt }, example: Example, owner: Client): Request => ({
  send: () => sendExample(learnt.endpoint, example, example.as ?? owner),
})

/** Where pairs run: one program, one pair at a time. */
export class Ring {
  readonly #app: TestApp
  readonly #gate: Gate
  readonly #errors: string[]

  /** @param errors what the program logs as an error, as it comes */
  constructor(app: TestApp, gate: Gate, errors: string[]) {
    this.#app = app
    this.#gate = gate
    this.#errors = errors
  }

  /** Whether a change can be stopped in the middle. */
  get canStop(): boolean {
    return this.#app.app.database.engine === 'postgres'
  }

  /** What was logged since this was last asked, in one line each. */
  takeErrors(): string[] {
    return this.#errors.splice(0).map((line) => {
      const { err, msg } = JSON.parse(line) as { err?: { stack?: string }; msg: string }
      const stack = (err?.stack ?? msg).split('\n').filter((part) => !/node_modules|node:internal/.test(part))
      return `  ${stack.slice(0, 4).join(' ')}`
    })
  }

  /** A fresh institute and the two requests in it; undefined: a record that the second shall name is not there. */
  async #set(pair: Pair): Promise<{ world: World; first: Request; second: Request } | undefined> {
    const world = worldOf(this.#app, await makeInstitute(this.#app))
    const one = formed(await pair.first.learnt.make(world), pair.first.form)
    const isSame = pair.first.learnt === pair.second.learnt && pair.aim.length > 0
    // The same request twice, unless it names other records: of a token, say, there is one.
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

  /** One after the other. */
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
   * Sends two requests at once: the first stands still after so many statements, until the second has ended or waits for
   * it. Where no change can be stopped, both go as chance has it.
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

  /** How often two changes had to be broken off, since this was last asked. */
  takeCollisions(): number {
    const { collisions } = this.#gate
    this.#gate.collisions = 0
    return collisions
  }

  /** Both at once: `order` begins, and is stopped after so many statements. */
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

/** Whether what came of both at once could have come of one after the other, and neither had to be broken off. */
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

/** What came out, beside what came out of one after the other. */
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
