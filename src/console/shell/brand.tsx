import { useFirstWords } from '../words/language.tsx'
import { instituteOfPage } from '../words/institute-of-page.ts'

interface BrandProps {
  name?: string
  about?: string
  logoUrl?: string | null
}

/** The institute's logo, or the product's mark, with its name. */
export const Brand = ({ name, about, logoUrl }: BrandProps) => {
  const { shell } = useFirstWords()
  return (
    <div className="school">
      <img className="logo" src={logoUrl ?? '/favicon.ico'} alt="" />
      <span>
        <bdi>{name ?? instituteOfPage?.name ?? shell.product}</bdi>
        {about !== undefined && <small>{about}</small>}
      </span>
    </div>
  )
}
