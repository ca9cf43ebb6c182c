import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { platformOf } from '#executable/platform.ts'
import { SYSTEM_WORDS } from '#executable/system-words.ts'
import { moveFile, moveFileNow, syncFolder, syncToDisk } from '#executable/to-disk.ts'
import { commandOn } from '#app/backup/command.ts'
import { commandLine, isService } from '#app/explain/command-line.ts'
import { lanAddresses } from '#app/process/lan-addresses.ts'
import { letsOthersIn } from '#app/trouble/rights.ts'

const makeFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'institute-platform-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('only win32 is Windows', () => {
  expect([platformOf('win32'), platformOf('linux'), platformOf('darwin')]).toEqual(['windows', 'unix', 'unix'])
})

/** Fails as Windows does while another program has the file open, so many times. */
const held = (times: number, code = 'EPERM') => {
  let tried = 0
  return () => {
    tried += 1
    if (tried <= times) throw Object.assign(new Error(code), { code })
  }
}

test('on Windows a file that another program has open for a moment is replaced after it', async () => {
  for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
    const [now, soon] = [held(2, code), held(2, code)]
    expect(() => moveFileNow('a', 'b', 'windows', now)).not.toThrow()
    await expect(moveFile('a', 'b', 'windows', async () => soon())).resolves.toBeUndefined()
  }
})

test('what another program keeps open, what fails otherwise, and what fails elsewhere than on Windows is said', async () => {
  expect(() => moveFileNow('a', 'b', 'windows', held(99))).toThrow('EPERM')
  expect(() => moveFileNow('a', 'b', 'windows', held(1, 'ENOSPC'))).toThrow('ENOSPC')
  expect(() => moveFileNow('a', 'b', 'unix', held(1))).toThrow('EPERM')
  const once = held(1, 'EACCES')
  await expect(moveFile('a', 'b', 'unix', async () => once())).rejects.toThrow('EACCES')
})

test('a file is moved over another', async () => {
  const [one, other] = ['one', 'other'].map((name) => path.join(makeFolder(), name)) as [string, string]
  for (const [text, move] of [
    ['first', moveFileNow],
    ['second', moveFile],
  ] as const) {
    writeFileSync(one, text)
    await move(one, other)
    expect(readFileSync(other, 'utf8')).toBe(text)
  }
})

test('Windows is asked to sync no folder, and is given files that may be written', async () => {
  const folder = makeFolder()
  const file = path.join(folder, 'file')
  writeFileSync(file, 'text')
  for (const platform of ['unix', 'windows'] as const) {
    syncToDisk(file, platform)
    syncToDisk(folder, platform)
    await syncFolder(folder, platform)
  }
  await expect(syncFolder(path.join(folder, 'none'), 'unix')).rejects.toThrow('ENOENT')
  await syncFolder(path.join(folder, 'none'), 'windows')
})

test('modes say nothing on Windows', () => {
  expect([0o600, 0o640, 0o666].map((mode) => letsOthersIn({ mode }, 'unix'))).toEqual([false, true, true])
  expect(letsOthersIn({ mode: 0o666 }, 'windows')).toBe(false)
})

test('a hint for Windows names nothing of Unix', () => {
  const { windows } = SYSTEM_WORDS
  const said = Object.values(windows).map((words: string | ((...given: never[]) => string)) =>
    typeof words === 'string' ? words : (words as (...given: unknown[]) => string)('C:\\Data', 'C:\\Data', 'key'),
  )
  for (const words of said) expect(words).not.toMatch(/sudo|systemctl|chmod|chown|journalctl|\bdf\b|root|install\.sh/)
})

const INSTALLED = { dataDir: String.raw`C:\ProgramData\Institute\data` }
const PROGRAM = String.raw`C:\Program Files\Institute\institute.exe`

test.each([
  [INSTALLED.dataDir, PROGRAM, String.raw`"C:\Program Files\Institute\institute.cmd" backup`],
  [
    String.raw`D:\my data`,
    PROGRAM,
    String.raw`"C:\Program Files\Institute\institute.exe" backup --data-dir "D:\my data"`,
  ],
  [String.raw`D:\data`, String.raw`D:\institute.exe`, String.raw`D:\institute.exe backup --data-dir D:\data`],
])('on Windows a command on the data in %s of %s is %s', (dataDir, program, line) => {
  expect(commandLine({ dataDir }, true, program, 'windows')('backup')).toBe(line)
})

test('on Windows the institute of the set-up is a service, where its host lies', () => {
  const host = String.raw`C:\Program Files\Institute\institute-host.exe`
  expect(isService(INSTALLED, (file) => file === host, 'windows')).toBe(true)
  expect(isService(INSTALLED, () => false, 'windows')).toBe(false)
  expect(isService({ dataDir: String.raw`D:\data` }, () => true, 'windows')).toBe(false)
})

test.each([
  ['/opt/copy', 'unix', ['/opt/copy', ['F'], { detached: true }]],
  [String.raw`C:\copy.exe`, 'windows', [String.raw`C:\copy.exe`, ['F'], {}]],
  [
    String.raw`C:\my scripts\copy.CMD`,
    'windows',
    ['cmd.exe', ['/d', '/s', '/c', String.raw`""C:\my scripts\copy.CMD" "F""`], { windowsVerbatimArguments: true }],
  ],
  [
    String.raw`C:\copy.ps1`,
    'windows',
    ['powershell.exe', ['-NoProfile', '-ExecutionPolicy', 'Bypass', '-File', String.raw`C:\copy.ps1`, 'F'], {}],
  ],
] as const)('the command %s on a backup is run on %s as %j', (command, platform, expected) => {
  expect(commandOn(command, 'F', platform)).toEqual(expected)
})

test('cards that Windows makes for virtual machines are none of the network, but for the one through which it is reached', () => {
  const card = (address: string) => [{ address, family: 'IPv4' as const, internal: false }]
  const found = lanAddresses({
    Ethernet: card('192.168.1.20'),
    'Wi-Fi': card('192.168.1.21'),
    'vEthernet (External switch)': card('192.168.1.22'),
    'vEthernet (Default Switch)': card('172.20.0.1'),
    'vEthernet (WSL (Hyper-V firewall))': card('172.21.0.1'),
    'VirtualBox Host-Only Network': card('192.168.56.1'),
    'VMware Network Adapter VMnet8': card('192.168.80.1'),
    Tailscale: card('100.64.0.7'),
  })
  expect(found).toEqual(['192.168.1.20', '192.168.1.21', '192.168.1.22'])
})
