/** What is said of a span. undefined: not known. */
export type Attributes = Readonly<Record<string, string | number | undefined>>

export interface Span {
  rename(name: string): void
  set(attributes: Attributes): void
  fail(why: string): void
}

export interface SpanOptions {
  /** server: a request that came; client: one that goes out; consumer: a job. */
  kind: 'server' | 'client' | 'consumer'
  attributes: Attributes
  /** The header traceparent (W3C) of a caller whom the server trusts. */
  parent?: string | undefined
}

/** Spans of what the program does, for a collector (OpenTelemetry). */
export interface Tracing {
  /** Runs the work in a span, which belongs to the span in which it is called. What the work throws fails the span. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>
}
