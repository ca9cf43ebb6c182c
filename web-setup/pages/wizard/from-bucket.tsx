import { useState } from 'react'
import { besideApi } from '../../../src/console/api/send.ts'
import { Button } from '../../../src/console/parts/button.tsx'
import { Detail } from '../../../src/console/parts/detail.tsx'
import { Field } from '../../../src/console/parts/field.tsx'
import { useForm } from '../../../src/console/parts/form.tsx'
import { Notice } from '../../../src/console/parts/notice.tsx'
import { Told } from '../../../src/console/parts/told.tsx'
import { useFormat } from '../../../src/console/words/language.tsx'
import { useOwnWords } from '../../parts/own-words.ts'
import { Step } from '../../parts/step.tsx'
import { ToldForm } from '../../parts/told-form.tsx'
import type { PageWords } from '../../words/index.ts'

type Words = NonNullable<PageWords['wizardMove']>['bucket']
export type BucketReason = keyof Words['reasons']

/** A store of backups, as its own page describes it. */
export interface Bucket {
  address: string
  region: string
  bucket: string
  folder: string
  keyId: string
  secret: string
}

interface Copy {
  name: string
  createdAt: string
  sizeBytes: number
}

/** What the server found there, or why it found nothing. */
interface Listing {
  kept: Copy[]
  others: number
  folders: string[]
  reason: BucketReason | null
  region: string | null
  detail: string
}

export const NO_BUCKET: Bucket = { address: '', region: '', bucket: '', folder: '', keyId: '', secret: '' }

interface FromBucketProps {
  setupToken: string
  /** What was typed before: it stays in the page, and nowhere else. */
  start: Bucket
  /** Why the one that was asked for did not come. */
  trouble: React.ReactNode
  onBack: () => void
  onFetch: (from: Bucket, copy: string) => void
}

/** Asks where the copies lie, and then for one of them. */
export const FromBucket = ({ setupToken, start, trouble, onBack, onFetch }: FromBucketProps) => {
  const { bucket: words } = useOwnWords('wizardMove')
  const [found, setFound] = useState<Listing>()
  const form = useForm({
    start,
    missing: words.missing,
    bounds: {
      address: { isRequired: true, maxLength: 300 },
      bucket: { isRequired: true, maxLength: 63 },
      keyId: { isRequired: true, maxLength: 300 },
      secret: { isRequired: true, maxLength: 300 },
    },
    refused: { address: words.notAddress, region: words.notName, bucket: words.notName, folder: words.notName },
    send: async (store) => {
      setFound(undefined)
      setFound(await besideApi<Listing>('/setup/restore/bucket', { body: { setupToken, store } }))
    },
  })
  if (found && found.kept.length > 0) {
    return (
      <Step key="list" id="move-copies" title={words.listTitle} lead={words.listLead}>
        {trouble}
        <Copies copies={found.kept} of={form.typed.bucket} onFetch={(copy) => onFetch(form.typed, copy)} />
        <div className="actions onward">
          <Button look="quiet" onPress={() => setFound(undefined)}>
            {words.otherStore}
          </Button>
        </div>
      </Step>
    )
  }
  return (
    <Step key="form" id="move-bucket" title={words.title} lead={words.lead}>
      {found ? <Nothing found={found} /> : trouble}
      <ToldForm form={form} verb={words.look} onCancel={onBack} cancelVerb={words.back}>
        <Field label={words.address} hint={words.addressHint} isLtr {...form.field('address')} />
        <Field label={words.region} hint={words.regionHint} isLtr isOptional {...form.field('region')} />
        <Field label={words.name} isLtr {...form.field('bucket')} />
        <Field label={words.folder} hint={words.folderHint} isLtr isOptional {...form.field('folder')} />
        <Field label={words.keyId} isLtr {...form.field('keyId')} />
        <Field label={words.secret} hint={words.secretHint} isLtr {...form.field('secret')} />
      </ToldForm>
    </Step>
  )
}

/** Why a store gave nothing, and what to do. */
export const BucketTrouble = ({
  reason,
  region,
  detail,
}: Pick<Listing, 'region' | 'detail'> & { reason: BucketReason }) => {
  const { bucket: words } = useOwnWords('wizardMove')
  return (
    <Notice meaning="bad" isAlert>
      <span className="grow">
        <Told>{words.reasons[reason]}</Told>
        {region !== null && reason === 'other_region' && (
          <>
            {' '}
            <Told>{words.inRegion(region)}</Told>
          </>
        )}
        {reason === 'failed' && <Detail text={detail} />}
      </span>
    </Notice>
  )
}

/** What was found, where it is no copy. */
const Nothing = ({ found: { reason, region, detail, others, folders } }: { found: Listing }) => {
  const { bucket: words } = useOwnWords('wizardMove')
  const format = useFormat()
  if (reason !== null) return <BucketTrouble {...{ reason, region, detail }} />
  const told =
    folders.length > 0
      ? words.folders(format.list(folders))
      : others > 0
        ? words.foreign(format.number(others))
        : words.empty
  return (
    <Notice meaning="warn" isAlert>
      <span className="grow">
        <Told>{told}</Told>
      </span>
    </Notice>
  )
}

const MEGABYTE = 1024 * 1024

interface CopiesProps {
  copies: readonly Copy[]
  of: string
  onFetch: (copy: string) => void
}

const Copies = ({ copies, of, onFetch }: CopiesProps) => {
  const { bucket: words, held } = useOwnWords('wizardMove')
  const format = useFormat()
  return (
    <ul className="card copies" aria-label={words.list(of)}>
      {copies.map(({ name, createdAt, sizeBytes }) => {
        const when = format.moment(createdAt)
        return (
          <li key={name}>
            <span className="grow">
              <span className="name">{when}</span>
              <span className="about">{held.megabytes(format.number(Math.ceil(sizeBytes / MEGABYTE)))}</span>
            </span>
            <Button aria-label={words.fetchOf(when)} onPress={() => onFetch(name)}>
              {words.fetch}
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
