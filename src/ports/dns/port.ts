/** Why there are no TXT records to look at. */
export type TxtProblem =
  /** There is no such name (NXDOMAIN). */
  | 'no_name'
  /** The name exists and has no TXT record. */
  | 'no_record'
  /** The domain's name servers failed or refused to answer (SERVFAIL, REFUSED, an unreadable reply). */
  | 'server_failed'
  /** No name server answered in time. */
  | 'no_answer'

export type TxtAnswer =
  | {
      /** The values, each joined from the strings that the record is split into. */
      values: readonly string[]
    }
  | { problem: TxtProblem }

/** Reads TXT records from the DNS. */
export interface TxtRecords {
  /** Asks for the TXT records of a name, following CNAMEs. It answers within seconds, and never throws. */
  lookUp(name: string): Promise<TxtAnswer>
}
