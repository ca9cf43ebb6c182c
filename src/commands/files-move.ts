import { moveAll, STORAGE_PLACES } from '#app/operator/move-files-command.ts'
import { oneOf, result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'
import { printable } from './table.ts'
import { sayTenths } from './tenths.ts'

const MEGABYTE = 1024 * 1024
const NAMED = 20

const PLACE_WORDS = { disk: 'on the disk', s3: 'in the bucket' } as const

export const filesMove: Command = {
  about:
    'Move the uploaded files to the bucket of INSTITUTE_S3_URL, or back to the disk, also while the program runs; where it was interrupted, it goes on',
  usage: '--to s3|disk [--tenant SLUG]',
  options: {
    to: {
      value: 'PLACE',
      choices: STORAGE_PLACES,
      required: true,
      about: 's3: the bucket; disk: the folder files in the data directory. New files go there as well',
    },
    tenant: { value: 'SLUG', about: 'The institute, by its short name; without it, all' },
  },
  run: async (invocation) => {
    const { to = '', tenant: slug } = invocation.options
    const place = oneOf(STORAGE_PLACES, to, 'A place')
    const config = openConfig(invocation)
    const isWhole = await moveAll(
      config,
      { to: place, slug },
      {
        progress: sayTenths,
        moved: (name, { files, bytes, damaged }) => {
          for (const file of damaged.slice(0, NAMED))
            tell(`${name}: ${printable(file)} is missing or damaged, and stays`)
          if (damaged.length > NAMED) tell(`${name}: and ${damaged.length - NAMED} more: a backup may hold them`)
          const size = `${Math.ceil(bytes / MEGABYTE)} MB`
          const what = files === 0 && damaged.length === 0 ? 'all files were there already' : `${files} moved, ${size}`
          result(`${name}: ${what}; new files go there too: ${PLACE_WORDS[place]}`)
        },
      },
    )
    if (place === 'disk' && config.s3 !== undefined) {
      tell('Leave INSTITUTE_S3_URL as it is for a day: addresses that were given out before lead to the bucket.')
      tell('Then run this again, for what came late, before you remove it.')
    }
    return isWhole ? 0 : 1
  },
}
