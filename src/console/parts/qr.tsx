import { useEffect, useState } from 'react'

interface Drawn {
  path: string
  size: number
}

const drawn = async (text: string): Promise<Drawn> => {
  const { encodeQR } = await import('qr')
  const rows = encodeQR(text, 'raw', { border: 4 })
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { path, size: rows.length }
}

/**
 * A square that a phone's camera reads. Dark on light whatever the theme: many cameras read nothing else. Its room is kept while
 * it is drawn, and stays empty where that fails: what it holds stands beside it.
 */
export const Qr = ({ text, label }: { text: string; label: string }) => {
  const [code, setCode] = useState<Drawn>()
  useEffect(() => {
    let isWanted = true
    drawn(text).then(
      (made) => isWanted && setCode(made),
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [text])
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${code?.size ?? 1} ${code?.size ?? 1}`}>
      <rect width="100%" height="100%" fill="#fff" />
      {code && <path d={code.path} fill="#000" shapeRendering="crispEdges" />}
    </svg>
  )
}
