/**
 * The keys of single people, each for one subject such as `payment 0198…`. They live outside of the database, so that no
 * copy of the database has them: what is destroyed here stays closed in every dump, WAL archive and backup.
 */
export interface PersonKeys {
  /** Whether every process has had time to learn about the store, so that the keys may be used to seal. */
  isAdopted(): Promise<boolean>
  /** Makes the keys of an organisation and returns their id. */
  create(): Promise<string>
  /** Undefined if it was destroyed; an AppError 503 if the store cannot be read. */
  find(keysId: string, leaf: Buffer): Promise<Buffer | undefined>
  /** Returns when it can no longer be undone. Two calls for the same keys must not overlap. */
  destroy(keysId: string, leaves: readonly Buffer[]): Promise<void>
}
