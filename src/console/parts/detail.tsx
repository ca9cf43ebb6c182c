/** What a program says of a failure in English, for whoever looks after the server; nothing where it says nothing. */
export const Detail = ({ lead, text }: { lead?: string; text: string }) =>
  text === '' ? null : (
    <span className="report">
      {lead}{' '}
      <bdi className="ltr" lang="en">
        {text}
      </bdi>
    </span>
  )
