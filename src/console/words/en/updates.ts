import { isolate } from '../../../shared/isolate.ts'

/** New versions of the program. */
export const updates = {
  title: 'Updates',
  about: 'New versions of this program. Each is signed by its vendor, and goes back by itself when it does not work.',
  look: 'Look now',
  runs: (version: string) => `Version ${isolate(version)} runs here`,
  newest: 'It is the newest.',
  unknown: 'Whether there is a newer one is not known yet.',
  notConfigured: 'This server looks for no new versions: nobody told it where.',
  lookedAt: (moment: string) => `Looked at ${isolate(moment)}.`,
  putInAt: (moment: string) => `Put in ${isolate(moment)}.`,
  thereIs: (version: string) => `Version ${isolate(version)} is there`,
  newIn: (version: string) => `What is new in ${isolate(version)}`,
  megabytes: (size: string) => `${size} MB are fetched for it.`,
  byItself: (hour: string) => `It is put in by itself at ${isolate(hour)}.`,
  fromStick: 'It came on a stick.',
  install: 'Put it in now',
  atHour: (hour: string) => `At ${isolate(hour)}`,
  notAtHour: 'Not by itself',
  stick: {
    title: 'From a stick',
    about: `Without the internet: the vendor’s update file (its name ends in ${isolate('.tar')}) comes on a stick. It is checked as always, and put in only when you say so.`,
    choose: 'Choose the file',
    sending: (share: string) => `The file is being sent: ${isolate(share)}`,
    checking: 'The file is being checked.',
    refused: 'The file was not taken:',
    broken:
      'The file did not arrive whole, and nothing of it was kept. Is the stick still in this computer? Choose the file again.',
  },
  installTitle: (version: string) => `Put version ${isolate(version)} in now?`,
  installText:
    'Everybody is without the program for a minute or two. A backup is made first; if the new version does not work, the one before it comes back with everything as it was.',
  installing:
    'A new version is being put in. The program is away for a minute or two; this page finds it again by itself.',
  failed: (version: string, moment: string) =>
    version === ''
      ? `Nothing was put in (${isolate(moment)}).`
      : `Version ${isolate(version)} was not put in (${isolate(moment)}).`,
  how: 'How it is updated',
  mode: 'New versions',
  modes: { off: 'Off', tell: 'Tell me', install: 'Put in' },
  modeText: {
    off: (_hour: string) => 'Nothing is looked for.',
    tell: (_hour: string) => 'It looks once a day, and tells you when there is a new version.',
    install: (hour: string) =>
      `It looks once a day, and puts a new version in by itself at ${isolate(hour)}, if this computer is on then.`,
  },
  hour: 'At which hour',
  channel: 'Which versions',
  channels: { stable: 'Proven ones', early: 'The newest' },
  channelText: {
    stable: 'Versions that others have worked with already.',
    early: 'Each version as soon as there is one.',
  },
  saved: 'Saved.',
  reasons: {
    unreachable: 'The vendor could not be reached. It tries again by itself.',
    not_an_update: 'It is no update of this program. Choose the file as the vendor gave it.',
    malformed: 'What came from the vendor could not be read.',
    bad_signature: 'It was not signed by the vendor, and is not trusted.',
    keys_gap: 'The vendor’s keys do not follow on those that are known here.',
    wrong_channel: 'The list is for other versions than were chosen.',
    manifest_expired: 'The vendor’s list is out of date. Is the clock of this computer right?',
    manifest_rolled_back: 'The list is older than one that was seen here before, and is not trusted.',
    not_newer: 'There is nothing newer than what runs here.',
    from_too_old: 'The version here is too old for that step. Ask whoever looks after the server.',
    wrong_machine: 'There is no newer version for this kind of computer.',
    file_incomplete: 'Only a part of the file arrived.',
    file_differs: 'The file is not the one that the vendor signed, and is not trusted.',
    no_file: 'The file is not there.',
    disk_full: 'There is not enough room on the disk.',
    switched_off: 'It is switched off.',
    no_keys: 'The vendor’s keys are missing on this server, so nothing can be trusted.',
    not_installed: 'This program was not set up by its installer, so new versions are put in by hand.',
    no_systemd: 'The system of this computer replaces no programs by itself, so new versions are put in by hand.',
    container: 'It runs in a container, into which whoever looks after the server puts the new version.',
    postgres: 'The database is in Postgres, which is backed up on its own: new versions are put in by hand.',
    installer_refused: 'The installer refused it, and changed nothing.',
    went_back: 'It did not start, so the version before it came back, with everything as it was.',
    power_cut: 'The power went while it was put in. The version before it came back, with everything as it was.',
  },
}
