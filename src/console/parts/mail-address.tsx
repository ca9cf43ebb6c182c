/** An address of mail. Where it does not fit into one line, it breaks before its @ first. */
export const MailAddress = ({ of }: { of: string }) => {
  const at = of.lastIndexOf('@')
  return (
    <>
      {of.slice(0, Math.max(at, 0))}
      <wbr />
      {of.slice(Math.max(at, 0))}
    </>
  )
}
