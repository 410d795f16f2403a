import type { Invariant } from '../violation.ts'
import type { Move } from '../../shared/moves.ts'

/** A change to a file under `server/src`, applied in memory when a process loads it. */
export type Edit = { file: string; from: string; to: string }

/** A defect and the payments that must reveal it. Production code has no switch for any of them. */
export type Bug = {
  name: string
  /** The invariants that may catch it; any other one would have found something else. */
  expects: readonly Invariant[]
  edits?: readonly Edit[]
  sql?: string
  undo?: string
  /** By their names. */
  corridors: readonly string[]
  sentinels: readonly string[]
  kills?: readonly Move[]
  /** A batch of payouts is sent as well. */
  isBulk?: boolean
  /** The clock of the api is behind the worker's. */
  isApiLate?: boolean
  /** It accepts only after so long, when the api has given up the call. */
  slow?: { provider: string; ms: number }
}
