import { useEffect, useRef, useState } from 'react'
import { Button } from '../../src/console/parts/button.tsx'
import { announce } from './announce.ts'
import { useOwnWords } from './own-words.ts'

const SHOWN_MILLIS = 2500

/**
 * The clipboard exists only on https and localhost. On a plain http address of the local network it is the old command.
 * Where neither works, the text stays selected, so that the person can copy it.
 */
const copyText = async (source: HTMLElement): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '')
    return true
  } catch {
    const selection = window.getSelection()
    selection?.selectAllChildren(source)
    const isCopied = document.execCommand('copy')
    if (isCopied) selection?.removeAllRanges()
    return isCopied
  }
}

interface CopyableProps {
  id: string
  text: string
  /** What its button does, for ears: which of several it copies. */
  label: string
}

/** A command, a key or an address, to be copied elsewhere. */
export const Copyable = ({ id, text, label }: CopyableProps) => {
  const { copy: words } = useOwnWords('wizard')
  const source = useRef<HTMLElement>(null)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_MILLIS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    if (!source.current || !(await copyText(source.current))) return
    announce(words.done)
    setCopied(true)
  }
  return (
    <div className="copyable">
      <code ref={source} id={id} dir="ltr">
        {text}
      </code>
      {/* Its name follows what it shows, because voice control uses that. */}
      <Button aria-label={isCopied ? words.done : label} onPress={() => void copy()}>
        {isCopied ? words.done : words.label}
      </Button>
    </div>
  )
}
