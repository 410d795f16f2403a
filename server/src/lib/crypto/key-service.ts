/** A key as the database holds it. */
export interface WrappedKey {
  readonly wrapped: Buffer
  /** The id of the key that wrapped it. */
  readonly wrappedBy: string
}

/** Wraps the data keys of the organisations, and the keys of the installation, for the database. */
export interface KeyService {
  /** The key that wraps now. A worker wraps again what another key has wrapped. */
  readonly currentId: string
  /** How long an unwrapped key may stay in memory. */
  readonly lifetimeMs: number
  wrap(key: Buffer, context: string): Promise<WrappedKey>
  /** Undefined if it stays closed however often it is tried; an AppError 503 if the service does not answer. */
  unwrap(wrapped: WrappedKey, context: string): Promise<Buffer | undefined>
}
