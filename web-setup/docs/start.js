/**
 * Swagger UI reads the whole document anew for each operation that it opens, which takes seconds. All references of this
 * document lead into itself, so each operation gets only the part that it names.
 * @param {{ fn: { resolveSubtree: (document: object, path: string[], options?: object) => unknown } }} system
 */
const readsOnlyTheOperation = ({ fn: { resolveSubtree } }) => ({
  fn: {
    /** @type {typeof resolveSubtree} */
    resolveSubtree: (document, path, options) => resolveSubtree(partOf(document, path), path, options),
  },
})

/**
 * The document without the paths, webhooks and components that `path` does not lead to.
 * @param {object} document
 * @param {string[]} path
 */
const partOf = (document, path) => {
  const part = { ...document, paths: {}, webhooks: {}, components: {} }
  const placed = new Set()
  // What an operation shares with others of its path stands beside it.
  const left = [path[0] === 'components' ? path.slice(0, 3) : path.slice(0, 2)]
  for (let place = left.pop(); place; place = left.pop()) {
    const name = JSON.stringify(place)
    if (placed.has(name)) continue
    placed.add(name)
    const value = copy(document, part, place)
    left.push(...referencesIn(value))
  }
  return part
}

/**
 * Copies what stands at `place`. @returns it
 * @param {any} document
 * @param {any} part
 * @param {string[]} place
 */
const copy = (document, part, place) => {
  const last = place.at(-1) ?? ''
  let [from, to] = [document, part]
  for (const name of place.slice(0, -1)) {
    from = from?.[name]
    to = to[name] ??= {}
  }
  const value = from?.[last]
  if (value !== undefined) to[last] = value
  return value
}

/**
 * The places to which a value refers.
 * @param {unknown} value
 * @returns {string[][]}
 */
const referencesIn = (value) => {
  if (typeof value !== 'object' || value === null) return []
  const below = Object.values(value).flatMap(referencesIn)
  if (!('$ref' in value) || typeof value.$ref !== 'string' || !value.$ref.startsWith('#/')) return below
  const place = value.$ref.slice(2).split('/')
  return [place.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')), ...below]
}

const { SwaggerUIBundle } = /** @type {any} */ (window)
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  plugins: [readsOnlyTheOperation],
})
