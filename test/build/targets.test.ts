import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeExecutable } from '../../build/executable.ts'
import { addonAssets, runtimeOf, TARGETS, targetNamed } from '../../build/targets.ts'
import { isNightly } from '#kit/volume.ts'
import type { Said } from './fixtures/program.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'institute-targets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What stands in the head of an ELF file, and of one for Windows (PE), for each machine. */
const MACHINES: Record<string, number> = { 'linux-x64': 62, 'linux-arm64': 183, 'win-x64': 0x8664 }

const machineOf = (file: string): number => {
  const head = Buffer.alloc(4096)
  readSync(openSync(file, 'r'), head)
  if (head.toString('latin1', 0, 2) === 'MZ') {
    const at = head.readUInt32LE(0x3c)
    expect(head.toString('latin1', at, at + 4)).toBe('PE\0\0')
    return head.readUInt16LE(at + 4)
  }
  expect(head.subarray(0, 5)).toEqual(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2]))
  return head.readUInt16LE(18)
}

test.each(TARGETS)('the addons for %s are for that machine, and for every version of the runtime', (target) => {
  const files = Object.values(addonAssets(target))
  expect(files).toHaveLength(2)
  for (const file of files) {
    expect({ file, machine: machineOf(file) }).toEqual({ file, machine: MACHINES[target] })
    expect(readFileSync(file, 'latin1')).toContain('napi_')
  }
})

test('there is no other target', () => {
  expect(() => targetNamed('linux-mips')).toThrow(
    'There is no target linux-mips; there are linux-x64, linux-arm64, win-x64.',
  )
})

const QEMU = 'qemu-aarch64-static'
const LIBRARIES = '/usr/aarch64-linux-gnu'

test.runIf(isNightly)(
  'the executable for linux-arm64 is one, and runs there',
  { timeout: 120_000 },
  async ({ skip }) => {
    const runtime = await runtimeOf('linux-arm64').catch(() => undefined)
    skip(runtime === undefined, 'the runtime of linux-arm64 cannot be fetched')
    const { file } = await makeExecutable('test/build/fixtures/program.ts', folder, 'linux-arm64')
    expect(machineOf(file)).toBe(MACHINES['linux-arm64'])
    const emulated = spawnSync(QEMU, ['--version']).status === 0 && existsSync(`${LIBRARIES}/lib/libstdc++.so.6`)
    skip(!emulated, `needs ${QEMU}, and the libraries of C and C++ of such a machine`)
    const { status, stdout, stderr } = spawnSync(QEMU, ['-L', LIBRARIES, file, path.join(folder, 'data')], {
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout) as Said).toMatchObject({ sum: 2, passwordKnown: true })
  },
)
