import type { Engine } from '#db/database.ts'
import { API_ROOT } from '#http/server/server.ts'
import type { Client } from '#kit/client.ts'
import { drive, driveCosted, during, requestBytes } from './client.ts'
import { doneIn, sampleOf, together, type Done } from './done.ts'
import type { Measured, Row, Sample } from './figures.ts'
import type { LargeInstitute } from './large-institute.ts'
import type { Workbench } from './workbench.ts'

/**
 * Short slices, so that both lists meet the same state of the machine; many of them, so that the rounds are long
 * enough.
 */
const SLICE_MILLIS = 400
const SLICES = 5

/** The caller, and the end of the path of the list, or whole paths that are asked for in turn. */
type Asked = (institute: LargeInstitute) => { caller: Client; query: string } | { caller: Client; paths: string[] }

const bare: Asked = ({ callers }) => ({ caller: callers.owner, query: '' })

/** The two filters that offices use most; half of the institute matches. */
const twoFilters: Asked = ({ callers, ids }) => ({
  caller: callers.owner,
  query: `&status=active&branchId=${ids.branches[0]}`,
})

/** For a caller who works for one of two branches. */
const underBranchRole: Asked = ({ callers }) => ({ caller: callers.manager, query: '' })

const SHORTEST_SEARCH = 2

/** The searches while somebody types, one for each letter. */
const searchesOf = (typed: string): string[] =>
  Array.from({ length: typed.length - SHORTEST_SEARCH + 1 }, (_, index) => {
    const begun = typed.slice(0, SHORTEST_SEARCH + index)
    return `/search?q=${encodeURIComponent(begun)}`
  })

/** A name and a number that are typed into the search over all types. */
const typedSearch: Asked = ({ callers }) => ({ caller: callers.owner, paths: searchesOf('dana levi 777') })

/** One word that is typed into the search over the students. */
const typedWord: Asked = ({ callers }) => ({ caller: callers.desk, paths: searchesOf('dana') })

/** A phone number whose first eight digits only the oldest 1,000 students have, while each three of them are common. */
const typedNumber: Asked = ({ callers }) => ({ caller: callers.desk, paths: searchesOf('0501000777') })

/** Compares a filtered list of students with the bare one, in alternating slices on one institute. */
const againstBareList =
  (engine: Engine, asked: Asked) =>
  async (bench: Workbench, rounds: number): Promise<Measured> => {
    const institute = await bench.largeInstitute(engine)
    const { program } = institute
    const requestsOf = (one: Asked): (() => Buffer) => {
      const { caller, ...what } = one(institute)
      const paths = 'paths' in what ? what.paths : [`/students?limit=25${what.query}`]
      const token = caller.credential as string
      const requests = paths.map((path) => requestBytes('GET', `${API_ROOT}${path}`, { token }))
      let next = 0
      return () => requests[(next += 1) % requests.length] as Buffer
    }
    const [narrowed, whole] = [requestsOf(asked), requestsOf(bare)]
    for (const request of [narrowed, whole]) await drive(program.url, during(1000, request))
    const slice = async (request: () => Buffer): Promise<Done> =>
      doneIn(await driveCosted(program, during(SLICE_MILLIS, request)))
    const samples: Sample[] = []
    for (let round = 0; round < rounds; round += 1) {
      const [ours, reference]: [Done[], Done[]] = [[], []]
      for (let index = 0; index < SLICES; index += 1) {
        reference.push(await slice(whole))
        ours.push(await slice(narrowed))
      }
      const { processor, ...rates } = sampleOf(together(ours), together(reference))
      // On Postgres much of the work happens in another process, so the rates decide.
      samples.push({ ...rates, ...(engine === 'sqlite' && processor && { processor }) })
    }
    return { samples }
  }

type Compared = Pick<Row, 'name' | 'what' | 'floor' | 'goal'> & { asked: Asked }

const COMPARED: readonly Compared[] = [
  { name: 'filters', what: 'the list with two filters', asked: twoFilters, floor: 0.8, goal: 0.9 },
  { name: 'branch-role', what: 'the list under a branch role', asked: underBranchRole, floor: 0.8, goal: 0.9 },
  { name: 'typed-word', what: 'a word typed letter by letter', asked: typedWord, floor: 0.6, goal: 1 },
  { name: 'typed-number', what: 'an old number typed digit by digit', asked: typedNumber, floor: 0.05, goal: 0.5 },
  // Each search looks at six types, the list at one.
  { name: 'typed-search', what: 'a search typed letter by letter', asked: typedSearch, floor: 0.3, goal: 0.5 },
]

const rowsOn = (engine: Engine, suffix: string) =>
  COMPARED.map(({ name, what, asked, floor, goal }): Row & { measure: ReturnType<typeof againstBareList> } => ({
    name: name + suffix,
    what: `${what}, 200,000 students (${engine})`,
    against: 'the bare list',
    unit: '/s',
    better: 'higher',
    floor,
    goal,
    measure: againstBareList(engine, asked),
  }))

export const narrowedLists = [...rowsOn('sqlite', ''), ...rowsOn('postgres', '-postgres')]
