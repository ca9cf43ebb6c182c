/** `npm run package`: makes dist/institute, with the licences of what it contains beside it. */
import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { makeExecutable } from './executable.ts'

const root = path.resolve(import.meta.dirname, '..')
const dist = path.join(root, 'dist')

const { file, stripped } = await makeExecutable('src/main.ts', dist)
copyFileSync(path.join(root, 'LICENSE-NOTICE'), path.join(dist, 'LICENSE-NOTICE'))
const bytes = readFileSync(file)
const size = `${(bytes.length / 1e6).toFixed(1)} MB`
console.log(`${path.relative(root, file)}: ${size}${stripped ? '' : '; 18 MB less where binutils provide `strip`'}`)
// Packaging one commit again, also elsewhere, gives the same.
console.log(`SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`)
