import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/language.tsx'
import type { Delivery } from './reads.ts'

interface SentSheetProps {
  delivery: Delivery
  what: string
  onClose: () => void
}

/** What is sent of a delivery, and what was answered: for whoever writes the other program. */
export const SentSheet = ({ delivery: { id, endpointId, responseExcerpt }, what, onClose }: SentSheetProps) => {
  const { webhooks: words, shell } = useWords()
  const sent = useGet(['/webhooks', endpointId, 'deliveries', id], (signal) =>
    answer(
      api.GET('/webhooks/{id}/deliveries/{deliveryId}', {
        params: { path: { id: endpointId, deliveryId: id } },
        signal,
      }),
    ),
  )
  return (
    <Sheet title={what} isOpen onClose={onClose}>
      <Loaded query={sent}>{(data) => <Sent of={data} />}</Loaded>
      {responseExcerpt !== null && responseExcerpt !== '' && <Lines title={words.answerText} lines={responseExcerpt} />}
      <div className="actions">
        <Button onPress={onClose}>{shell.close}</Button>
      </div>
    </Sheet>
  )
}

/** Spread over lines to be read; it is sent on one. */
const spread = (body: string): string => JSON.stringify(JSON.parse(body), null, 2)

const Sent = ({ of: { body, headers } }: { of: Schemas['WebhookSending'] }) => {
  const { webhooks: words } = useWords()
  const lines = headers.flatMap(({ name, value }) => (value === null ? [] : [`${name}: ${value}`]))
  const proofs = headers.filter(({ value }) => value === null).map(({ name }) => name)
  return (
    <>
      <Lines title={words.sentBody} lines={spread(body)} />
      <Lines title={words.sentHeaders} lines={lines.join('\n')} />
      <p className="small spaced">
        <bdi className="ltr">{proofs.join(', ')}</bdi>: {words.sentProof}
      </p>
    </>
  )
}

const Lines = ({ title, lines }: { title: string; lines: string }) => (
  <>
    <h3 className="spaced">{title}</h3>
    <pre className="code-lines" dir="ltr">
      {lines}
    </pre>
  </>
)
