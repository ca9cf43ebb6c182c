import { useRef, useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { textBesideApi } from '../../api/send.ts'
import { Button } from '../../parts/button.tsx'
import { Segments } from '../../parts/choose.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'

/** The guide's own files, which its tests run. */
const FILES = [
  { id: 'verify.mjs', label: 'Node.js' },
  { id: 'verify.py', label: 'Python' },
  { id: 'verify.php', label: 'PHP' },
  { id: 'verify.sh', label: 'Shell' },
] as const

/** By which lines another program makes sure that what it receives comes from here. */
export const Code = () => {
  const { webhooks: words } = useWords()
  const [file, setFile] = useState<(typeof FILES)[number]['id']>('verify.mjs')
  const code = useGet(['//docs/code', file], (signal) => textBesideApi(`/docs/code/${file}`, signal))
  return (
    <Section title={words.verify}>
      <div className="card padded">
        <p className="soft spaced">{words.verifyText}</p>
        <Segments label={words.language} options={FILES} value={file} onChange={setFile} />
        <Loaded query={code}>{(lines) => <Lines key={file} lines={lines} />}</Loaded>
        <p className="small below">
          {words.guide}{' '}
          <a className="guide-link" href="/docs/guide/webhooks" target="_blank" rel="noreferrer">
            {words.guideLink}
          </a>
        </p>
      </div>
    </Section>
  )
}

const Lines = ({ lines }: { lines: string }) => {
  const { webhooks: words, shell } = useWords()
  const shown = useRef<HTMLPreElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = () => {
    if (shown.current) getSelection()?.selectAllChildren(shown.current)
    // The newer way is missing on a plain http address of the local network.
    setCopied(document.execCommand('copy'))
  }
  return (
    <>
      <pre ref={shown} className="code-lines" dir="ltr">
        {lines}
      </pre>
      <Button icon={isCopied ? 'tick' : undefined} onPress={copy}>
        {isCopied ? shell.copied : words.copyLines}
      </Button>
    </>
  )
}
