/**
 * `npm run package`: makes dist/institute and puts the files beside it that a server also needs: the licence notice and
 * the installer.
 */
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { makeExecutable } from './executable.ts'

const root = path.resolve(import.meta.dirname, '..')
const dist = path.join(root, 'dist')

const { file, stripped } = await makeExecutable('src/main.ts', dist)
rmSync(path.join(dist, 'bundle'), { recursive: true })
copyFileSync(path.join(root, 'LICENSE-NOTICE'), path.join(dist, 'LICENSE-NOTICE'))
cpSync(path.join(root, 'installer'), dist, { recursive: true })
const bytes = readFileSync(file)
const size = `${(bytes.length / 1e6).toFixed(1)} MB`
console.log(`${path.relative(root, file)}: ${size}${stripped ? '' : '; 18 MB less where binutils provide `strip`'}`)
// Packaging the same commit again gives the same hash, on any machine.
console.log(`SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`)
