import type { Database } from '../../../../kernel/db/database.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { StoredAuditRow } from '../record.ts'

/** What the hash of a block covers. */
export interface BlockHeader {
  orgId: string
  blockNo: number
  rowCount: number
  /** The Merkle root over the entries of the block. */
  root: Buffer
  /** The hash of the block before it; zeros for the first. */
  previousHash: Buffer
  sealedAt: Date
}

export interface SealedHeader extends BlockHeader {
  blockHash: Buffer
}

/** A block with what is needed to name the entry that was changed or removed. */
export interface AuditBlock extends SealedHeader {
  auditIds: string[]
  leafHashes: Buffer[]
}

/** An entry that no block has yet; without its row if that was removed in between. */
export interface UnsealedEntry {
  orgId: string
  auditId: string
  row: StoredAuditRow | undefined
}

export interface SealDeps {
  db: Database
  clock: Clock
}

/** One step from a leaf to the root: the hash beside it, and its side. */
export interface PathStep {
  side: 'left' | 'right'
  hash: Buffer
}

export interface EntryProof {
  auditId: string
  /** The text whose hash is the leaf; undefined for a caller who may not see personal data. */
  canonical: string | undefined
  leafHash: Buffer
  leafIndex: number
  path: PathStep[]
  block: SealedHeader
  /** The blocks after it, up to the newest or the one that was asked for. */
  chain: SealedHeader[]
}
