/** The folders of these houses, lowest first: a file imports its own folder and those below it. */
import path from 'node:path'

/**
 * Folders of one row do not import each other. `.` is the house itself, which wires everything together; `screens/*` is
 * each folder of screens that has no row of its own.
 */
const HOUSES = {
  app: [
    ['trouble'],
    ['config'],
    ['data-dir'],
    ['explain'],
    ['process', 'threads', 'pages'],
    ['backup', 'export', 'updates', 'https'],
    ['person-file'],
    ['erasure'],
    ['server'],
    ['.'],
    ['operator'],
  ],
  kernel: [['basics'], ['time'], ['rights'], ['values'], ['who'], ['contract']],
  runtime: [['secrets'], ['change'], ['records'], ['queue']],
  http: [['replies'], ['bodies'], ['admission'], ['request', 'list-files'], ['openapi'], ['.'], ['mcp'], ['server']],
  console: [
    ['api'],
    // Data, which the server reads too.
    ['map.ts'],
    ['words'],
    ['parts'],
    ['shell'],
    ['records/*'],
    ['records/audit', 'records/curriculum', 'records/group', 'records/guardian', 'records/student'],
    ['records/enrollment', 'records/narrowed'],
    ['screens/*'],
    ['.'],
  ],
  // Beside the console, whose parts it is made of.
  'web-setup': [['address.ts'], ['words', 'rules'], ['parts'], ['.'], ['pages']],
}

/** Where a house stands. */
const rootOf = (house) => (house === 'web-setup' ? house : path.join('src', house)) + path.sep

/** @param {string} file @returns {{ house: string, inside: string[] } | undefined} the house in which a file is */
const houseOf = (file) => {
  for (const house of Object.keys(HOUSES)) {
    const root = rootOf(house)
    const at = file.lastIndexOf(root)
    if (at >= 0) return { house, inside: file.slice(at + root.length).split(path.sep) }
  }
  return undefined
}

/** @param {string} file @returns {{ house: string, room: string, rank: number } | undefined} rank -1: HOUSES does not name it */
const roomOf = (file) => {
  const found = houseOf(file)
  if (!found) return undefined
  const { house, inside } = found
  const [first, second] = inside
  const rows = HOUSES[house]
  const rankOf = (room) => rows.findIndex((rooms) => rooms.includes(room))
  if (inside.length === 1) {
    const room = rankOf(first) < 0 ? '.' : first
    return { house, room, rank: rankOf(room) }
  }
  if (rankOf(`${first}/*`) < 0) return { house, room: first, rank: rankOf(first) }
  const room = inside.length === 2 ? first : `${first}/${second}`
  return { house, room, rank: rankOf(room) < 0 && inside.length > 2 ? rankOf(`${first}/*`) : rankOf(room) }
}

/** @param {string} from @param {string} to @returns {string | undefined} why a file must not import the other */
const faultOf = (from, to) => {
  const [importer, imported] = [roomOf(from), roomOf(to)]
  if (!importer || importer.house !== imported?.house || importer.room === imported.room) return undefined
  const { house } = importer
  const unnamed = [importer, imported].find(({ rank }) => rank < 0)
  if (unnamed) return `build/lint/rooms.mjs does not say where ${rootOf(house)}${unnamed.room} stands.`
  return imported.rank < importer.rank
    ? undefined
    : `${rootOf(house)}${importer.room} stands below or beside ${rootOf(house)}${imported.room}, and must not import it.`
}

/** A file imports its own folder and those below it. */
export const rooms = {
  meta: {
    type: 'problem',
    docs: { description: 'The folders of a house import downwards' },
    schema: [],
  },
  create(context) {
    const file = context.filename
    if (roomOf(file) === undefined) return {}
    const look = (node) => {
      const name = node.source?.value
      if (typeof name !== 'string') return
      const target = name.startsWith('#')
        ? path.join('src', name.slice(1))
        : name.startsWith('.')
          ? path.resolve(path.dirname(file), name)
          : undefined
      const fault = target && faultOf(file, target)
      if (fault) context.report({ node, message: fault })
    }
    return {
      ImportDeclaration: look,
      ImportExpression: look,
      ExportNamedDeclaration: look,
      ExportAllDeclaration: look,
    }
  },
}
