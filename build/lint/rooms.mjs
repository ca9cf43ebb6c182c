/** The folders of src/app, lowest first: a file imports its own folder and those below it. */
import path from 'node:path'

/** Folders of one row do not import each other. `.` is src/app itself, which wires everything together. */
const ROOMS = [
  ['trouble'],
  ['config'],
  ['data-dir'],
  ['executable'],
  ['explain'],
  ['process', 'threads', 'pages'],
  ['backup', 'export', 'imports', 'papers', 'telemetry'],
  ['server'],
  ['.'],
  ['operator'],
]

const APP = path.join('src', 'app') + path.sep

/** @param {string} file @returns {string | undefined} the folder of src/app in which a file is; `.`: src/app itself */
const roomOf = (file) => {
  const at = file.lastIndexOf(APP)
  if (at < 0) return undefined
  const parts = file.slice(at + APP.length).split(path.sep)
  return parts.length === 1 ? '.' : parts[0]
}

/** @param {string} room @returns {number} -1: ROOMS does not name it */
const rankOf = (room) => ROOMS.findIndex((rooms) => rooms.includes(room))

/** @param {string} from @param {string} to @returns {string | undefined} why a file must not import the other */
const faultOf = (from, to) => {
  const [importer, imported] = [roomOf(from), roomOf(to)]
  if (importer === undefined || imported === undefined || importer === imported) return undefined
  const unnamed = [importer, imported].find((room) => rankOf(room) < 0)
  if (unnamed !== undefined) return `build/lint/rooms.mjs does not say where src/app/${unnamed} stands.`
  return rankOf(imported) < rankOf(importer)
    ? undefined
    : `src/app/${importer} stands below or beside src/app/${imported}, and must not import it.`
}

/** A file of src/app imports its own folder and those below it. */
export const rooms = {
  meta: { type: 'problem', docs: { description: 'The folders of src/app import downwards' }, schema: [] },
  create(context) {
    const file = context.filename
    if (roomOf(file) === undefined) return {}
    const look = (node) => {
      const name = node.source?.value
      if (typeof name !== 'string') return
      const target = name.startsWith('#app/')
        ? path.join(APP, name.slice('#app/'.length))
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
