/**
 * Rules of this project that the linter does not bring: see `rules` for what each asks.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const WRITES = new Set(['insertInto', 'updateTable', 'deleteFrom', 'replaceInto', 'mergeInto'])
/** What writes a table through the record that it declares. */
const DECLARES = 'recordOf'

/** @param {string} file @returns {string | undefined} the folder that a source belongs to: a module's, or one of src */
const ownerOf = (file) => {
  const parts = file.split(path.sep)
  const src = parts.lastIndexOf('src')
  if (src < 0) return undefined
  return parts[src + 1] === 'modules' ? `modules/${parts[src + 2]}` : parts[src + 1]
}

/** @type {Map<string, Map<string, string>>} by root, the owner of each table: whoever declares its columns */
const known = new Map()

/** @param {string} root @returns {Map<string, string>} */
const ownersIn = (root) => {
  const found = known.get(root)
  if (found) return found
  const owners = new Map()
  const files = globSync(['src/modules/*/tables.ts', 'src/runtime/tables.ts'], { cwd: root })
  for (const file of files) {
    const source = readFileSync(path.join(root, file), 'utf8')
    const declared = source.slice(source.indexOf('interface Tables {'))
    for (const [, table] of declared.matchAll(/^ {4}(\w+): \{$/gm)) owners.set(table, ownerOf(file))
  }
  known.set(root, owners)
  return owners
}

/** @param {string} file @returns {string | undefined} the checkout that it is in */
const rootOf = (file) => {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'src', 'modules'))) return folder
  }
  return undefined
}

/** Only the module that declares a table writes it; the others call what the owner exports. */
const tableOwner = {
  meta: { type: 'problem', docs: { description: 'Only its owner writes a table' }, schema: [] },
  create(context) {
    const file = context.filename
    const root = rootOf(file)
    const writer = ownerOf(file)
    if (!root || !writer) return {}
    // db runs the queue's claims for runtime, next to the statements that both engines write differently.
    const owners = ownersIn(root)
    return {
      CallExpression(node) {
        const { callee, arguments: given } = node
        const isWrite =
          callee.type === 'MemberExpression'
            ? callee.property.type === 'Identifier' && WRITES.has(callee.property.name)
            : callee.type === 'Identifier' && callee.name === DECLARES
        if (!isWrite) return
        const [table] = given
        if (table?.type !== 'Literal' || typeof table.value !== 'string') return
        const name = table.value.split(' ')[0]
        const owner = owners.get(name)
        if (owner === writer || (owner === 'runtime' && writer === 'db')) return
        context.report({
          node,
          message: owner
            ? `The table ${name} belongs to ${owner}: call what that exports.`
            : `The table ${name} has no owner: its module declares it in its tables.ts.`,
        })
      },
    }
  },
}

/**
 * Rows of every institute are for the few that cannot name one: who signs in, who opens a mailed link, what is delivered.
 * They stand by name where this rule is switched off, in .oxlintrc.json.
 */
const unscoped = {
  meta: { type: 'problem', docs: { description: 'The unscoped handle goes to few, by name' }, schema: [] },
  create(context) {
    const refuse = (node) =>
      context.report({ node, message: 'Rows of every institute are out of reach here: name one, by inTenant.' })
    return {
      ImportSpecifier(node) {
        if (node.imported.type === 'Identifier' && node.imported.name === 'SystemDb') refuse(node)
      },
      MemberExpression(node) {
        if (!node.computed && node.property.name === 'everywhere') refuse(node)
      },
      Property(node) {
        if (node.parent.type === 'ObjectPattern' && node.key.type === 'Identifier' && node.key.name === 'everywhere') {
          refuse(node)
        }
      },
    }
  },
}

export default { meta: { name: 'institute' }, rules: { 'table-owner': tableOwner, unscoped } }
