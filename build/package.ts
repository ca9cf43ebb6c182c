/**
 * `npm run package [-- --target TARGET]`: makes dist/institute and puts the files beside it that a server also needs:
 * the licence notice and the installer. For another platform than this one it makes dist-TARGET. For Windows the installer is a
 * set-up, and is made where its tools are.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { layDistribution } from './distribution.ts'
import { hostTarget, isForWindows, targetNamed } from './targets.ts'
import { laySetup } from './windows-setup.ts'

const root = path.resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { target: { type: 'string' } } })
const target = targetNamed(values.target ?? hostTarget())
const dist = path.join(root, target === hostTarget() ? 'dist' : `dist-${target}`)

const { file, stripped } = await layDistribution(dist, target)
const bytes = readFileSync(file)
const size = `${(bytes.length / 1e6).toFixed(1)} MB`
console.log(`${path.relative(root, file)}: ${size}${stripped ? '' : '; 18 MB less where binutils provide `strip`'}`)
if (isForWindows(target)) console.log(laySetup(dist, path.join(dist, 'InstituteSetup.exe')))
// Packaging the same commit again gives the same hash, on any machine.
console.log(`SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`)
