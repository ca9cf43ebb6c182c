import { SYSTEM, type SystemWords } from '#executable/system-words.ts'

/** What people try that is no command, and what answers them, after “There is no command …”. */
export const answersOn = (system: SystemWords): readonly (readonly [words: readonly string[], answer: string])[] => [
  [
    ['status', 'check', 'ping', 'info', 'running'],
    'institute health asks whether the server runs, institute doctor looks at everything.',
  ],
  [['log', 'logs', 'journal'], system.howToLog],
  [
    ['metrics', 'stats', 'monitor', 'prometheus'],
    'the running server gives its metrics to Prometheus at /metrics; institute health says whether it is ready.',
  ],
  [
    ['license', 'licence'],
    'a licence is entered and shown on the page /license of the server, and institute doctor says how it stands; institute help vendor has what a vendor does.',
  ],
  [
    ['licenses', 'licences', 'tenant', 'tenants', 'plans'],
    'that is for a vendor: institute help vendor lists the commands.',
  ],
  [
    ['users', 'accounts', 'people', 'members', 'owner', 'admin'],
    'institute user list shows who has an account; staff are invited in the app or over the API.',
  ],
  [
    ['start', 'run', 'up', 'server', 'daemon'],
    `institute serve runs the program; where it is a service, ${system.start}.`,
  ],
  [
    ['stop', 'down', 'quit', 'kill', 'shutdown'],
    `the service is stopped with ${system.stop}; one that was started by hand ends with Ctrl-C.`,
  ],
  [
    ['restart', 'reload'],
    `the service is started again with ${system.restart}; one that was started by hand with Ctrl-C and institute serve.`,
  ],
  [['upgrade'], system.howToUpgrade],
  [
    ['password', 'passwd', 'reset-password', 'reset', 'forgot'],
    'institute user reset-password --email EMAIL prints a link with which that person chooses a new one.',
  ],
  [['config', 'configure', 'configuration', 'conf', 'setting', 'env'], 'institute settings prints every setting.'],
  [
    ['mail', 'email', 'smtp', 'sendmail'],
    'institute mail-setup names the mail server, institute mail-test ADDRESS tries it.',
  ],
  [
    ['backups', 'snapshot', 'snapshots', 'dump'],
    'institute backup makes one, institute backup list shows those there are.',
  ],
  [
    ['recover', 'rollback'],
    'institute restore FILE brings a backup back, institute backup list shows those there are.',
  ],
  [
    ['init', 'setup', 'wizard', 'token'],
    'the wizard in a browser does the setup; institute setup-token prints the code that it asks for.',
  ],
  [
    ['db', 'schema', 'migrations'],
    'institute migrate brings the database to this version, institute doctor looks at it.',
  ],
  [['uninstall', 'remove'], system.howToUninstall],
  [['install'], system.howToInstall],
]

export const ANSWERS = answersOn(SYSTEM)

/** What answers a word that is no command; undefined: nobody has tried it so far. */
export const answerTo = (word: string): string | undefined =>
  ANSWERS.find(([words]) => words.includes(word.toLowerCase()))?.[1]
