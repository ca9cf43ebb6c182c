import { PLATFORM, type Platform } from './platform.ts'

/**
 * What a person is told to do on the machine itself, for each kind of system. Whoever words a problem takes the hint from
 * here, and knows nothing of systems.
 */
export interface SystemWords {
  start: string
  stop: string
  restart: string
  /** How the log of the service is read. */
  log: string
  /** The same for one who asks for it by another word. */
  howToLog: string
  howToUpgrade: string
  howToUninstall: string
  howToInstall: string
  /** How a version that there is is put in. */
  putIn: string
  /** Why no version can be put in by the program itself: it was not installed as that needs. */
  notInstalled(programDir: string): string
  mayNotPutIn: string
  howFull(place: string): string
  /** Where there is no room: how to see how much there is. */
  roomOf(place: string, isOfFiles: boolean): string
  setClock: string
  /** By the network or by hand. */
  setClockSomehow: string
  whoListens(port: number): string
  whoHolds(file: string): string
  /** How a program that runs as `user` gets a file that it may not read. */
  readable(file: string, user: string): string
  writable(folder: string): string
  readOnlyDisk: string
  whatOfDisk: string
  goodDisk: string
  mayNotLoad: string
  /** Brings the master key alone back out of a backup. */
  keyOutOf(backup: string, dataDir: string, key: string): string
  postgresState: string
  /** A folder and whose it is, where that says anything. */
  folderOf(dataDir: string, owner: string): string
}

const UNIX: SystemWords = {
  start: 'sudo systemctl start institute',
  stop: 'sudo systemctl stop institute',
  restart: 'sudo systemctl restart institute',
  log: 'journalctl --unit institute --priority warning',
  howToLog:
    'the log of the service is read with journalctl --unit institute; without systemd it is what institute serve writes to standard error.',
  howToUpgrade:
    'a new version is put in with sudo institute update now, or with sudo sh install.sh upgrade from its own folder; institute migrate brings the database alone to this version.',
  howToUninstall: 'the program is taken away with sudo sh install.sh uninstall, which keeps the data.',
  howToInstall: 'the program is installed with sudo sh install.sh install.',
  putIn: 'sudo institute update now',
  notInstalled: (programDir) => `What runs here was not installed by install.sh: there is none in ${programDir}.`,
  mayNotPutIn: 'Only root can put a version in: sudo institute update …',
  howFull: (place) => `df -h ${place} shows how full it is`,
  roomOf: (place, isOfFiles) => `df ${isOfFiles ? '-i' : '-h'} ${place} shows how much there is`,
  setClock: 'sudo timedatectl set-ntp true sets it by the network',
  setClockSomehow: 'sudo timedatectl set-ntp true, or sudo date --set="YYYY-MM-DD HH:MM"',
  whoListens: (port) => `sudo ss -ltnp 'sport = :${port}' shows which it is`,
  whoHolds: (file) => `sudo fuser ${file} shows which`,
  readable: (_, user) => `Give it copies that it may read: sudo install -o ${user} -m 600 FILE FOLDER`,
  writable: (folder) =>
    `give the user of the program the right to, and its service the line ReadWritePaths=${folder} (systemctl edit institute)`,
  readOnlyDisk: 'find out why (sudo dmesg), then sudo mount -o remount,rw it',
  whatOfDisk: 'look at what the system says of it (sudo dmesg)',
  goodDisk: 'a disk with ext4, xfs or btrfs',
  mayNotLoad: 'so on no disk that is mounted noexec',
  keyOutOf: (backup, dataDir, key) =>
    `sudo tar -xzf ${backup} -C ${dataDir} --strip-components=1 data/${key} && sudo chown --reference=${dataDir} ${dataDir}/${key}`,
  postgresState: 'systemctl status postgresql',
  folderOf: (dataDir, owner) => `${dataDir}, of ${owner}`,
}

/** The account of the service, which Windows itself makes. */
const ACCOUNT = String.raw`NT SERVICE\Institute`

const AS_ADMINISTRATOR = 'in a command window that is run as administrator'

const WINDOWS: SystemWords = {
  start: `net start Institute, ${AS_ADMINISTRATOR}`,
  stop: `net stop Institute, ${AS_ADMINISTRATOR}`,
  restart: `net stop Institute && net start Institute, ${AS_ADMINISTRATOR}`,
  log: String.raw`C:\ProgramData\Institute\logs\institute.log`,
  howToLog: String.raw`the log of the service is C:\ProgramData\Institute\logs\institute.log; without the service it is what institute serve writes to standard error.`,
  howToUpgrade:
    'a new version is put in with its own set-up, over the one that is there; institute migrate brings the database alone to this version.',
  howToUninstall: 'the program is taken away in the settings of Windows, under Apps, which keeps the data.',
  howToInstall: 'the program is installed with its set-up, InstituteSetup.exe.',
  putIn: 'run its set-up over the one that is there',
  notInstalled: () => 'On Windows a new version is put in with its own set-up, over the one that is there.',
  mayNotPutIn: 'On Windows a new version is put in with its own set-up, over the one that is there.',
  howFull: () => 'the properties of its drive show how full it is',
  roomOf: () => 'the properties of its drive show how much there is',
  setClock: `w32tm /resync, ${AS_ADMINISTRATOR}, sets it by the network`,
  setClockSomehow: 'in the settings of Windows, under Time & language',
  whoListens: (port) =>
    `netstat -ano | findstr :${port} shows the number of its process, and the Task Manager which that is`,
  whoHolds: () => 'the Resource Monitor shows which, under CPU, Associated Handles',
  readable: (file) => `Give it the right to read it, ${AS_ADMINISTRATOR}: icacls "${file}" /grant "${ACCOUNT}:R"`,
  writable: (folder) =>
    `give the service the right to, ${AS_ADMINISTRATOR}: icacls "${folder}" /grant "${ACCOUNT}:(OI)(CI)M" (on a share, give it to this computer’s own account)`,
  readOnlyDisk: 'find out why (Event Viewer, Windows Logs, System), and let chkdsk look at it',
  whatOfDisk: 'look at what Windows says of it (Event Viewer, Windows Logs, System)',
  goodDisk: 'a disk of this computer itself, with NTFS',
  mayNotLoad: 'which neither AppLocker nor a scanner of viruses forbids',
  keyOutOf: (backup, dataDir, key) =>
    `tar -xzf "${backup}" -C "${dataDir}" --strip-components=1 data/${key}, ${AS_ADMINISTRATOR}`,
  postgresState: 'its service in services.msc',
  folderOf: (dataDir) => dataDir,
}

export const SYSTEM_WORDS: Readonly<Record<Platform, SystemWords>> = { unix: UNIX, windows: WINDOWS }

/** Those of this machine. */
export const SYSTEM = SYSTEM_WORDS[PLATFORM]
