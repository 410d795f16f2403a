import { createHash } from 'node:crypto'
import type { StoredAuditRow } from '../record.ts'
import type { AuditBlock, BlockHeader, PathStep, SealedHeader, UnsealedEntry } from './record.ts'

/** Leaves, nodes and blocks are hashed with a first byte of their own, so that none can pass for another (RFC 6962). */
const leafPrefix = Buffer.from([0])
const nodePrefix = Buffer.from([1])
const blockPrefix = Buffer.from([2])

const hashBytes = 32
const noBlock = Buffer.alloc(hashBytes)

const sha256 = (...parts: readonly (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** JSON with the keys of every object in the order of their code units and without spaces (as RFC 8785). */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonicalText(one)}`).join(',')}}`
}

/** Every column by name, so that a column which a later release adds does not change the hashes of older entries. */
export const entryText = (row: StoredAuditRow): string =>
  canonicalText({
    action: row.action,
    after: row.after,
    api_key_id: row.api_key_id,
    audit_id: row.audit_id,
    before: row.before,
    created_at: row.created_at.toISOString(),
    credential: row.credential,
    ip: row.ip,
    org_id: row.org_id,
    request_id: row.request_id,
    resource_id: row.resource_id,
    resource_type: row.resource_type,
    user_agent: row.user_agent,
    user_id: row.user_id,
  })

export const leafHash = (text: string): Buffer => sha256(leafPrefix, text)

/** An entry that was removed before it was sealed keeps its place, with a hash that no entry can have. */
export const leafOf = ({ row, auditId }: Pick<UnsealedEntry, 'row' | 'auditId'>): Buffer =>
  leafHash(row ? entryText(row) : canonicalText({ audit_id: auditId, is_missing: true }))

const nodeHash = (left: Buffer, right: Buffer): Buffer => sha256(nodePrefix, left, right)

/** The largest power of two that is smaller than the number of leaves. */
function splitOf(count: number): number {
  let split = 1
  while (split * 2 < count) split *= 2
  return split
}

export function rootOf(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves
  if (leaves.length <= 1) return only ?? sha256()
  const split = splitOf(leaves.length)
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

/** From the leaf upwards. */
export function pathOf(leaves: readonly Buffer[], index: number): PathStep[] {
  if (leaves.length <= 1) return []
  const split = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return index < split
    ? [...pathOf(left, index), { side: 'right', hash: rootOf(right) }]
    : [...pathOf(right, index - split), { side: 'left', hash: rootOf(left) }]
}

const hashBlock = (header: BlockHeader): Buffer =>
  sha256(
    blockPrefix,
    canonicalText({
      block_no: header.blockNo,
      org_id: header.orgId,
      previous_hash: header.previousHash.toString('hex'),
      root: header.root.toString('hex'),
      row_count: header.rowCount,
      sealed_at: header.sealedAt.toISOString(),
    }),
  )

/** The next block of an organisation, of at least one entry. */
export function sealBlock(
  head: Pick<SealedHeader, 'blockNo' | 'blockHash'> | undefined,
  entries: readonly [UnsealedEntry, ...UnsealedEntry[]],
  sealedAt: Date,
): AuditBlock {
  const leafHashes = entries.map(leafOf)
  const header: BlockHeader = {
    orgId: entries[0].orgId,
    blockNo: (head?.blockNo ?? 0) + 1,
    rowCount: entries.length,
    root: rootOf(leafHashes),
    previousHash: head?.blockHash ?? noBlock,
    sealedAt,
  }
  const auditIds = entries.map(({ auditId }) => auditId)
  return { ...header, blockHash: hashBlock(header), auditIds, leafHashes }
}

/** What is wrong with a block itself, given the one before it; its entries are judged by themselves. */
export function blockProblems(
  before: Pick<SealedHeader, 'blockNo' | 'blockHash'> | undefined,
  block: AuditBlock,
): string[] {
  const expectedNo = (before?.blockNo ?? 0) + 1
  const isGap = block.blockNo !== expectedNo
  const gap =
    block.blockNo - 1 === expectedNo
      ? `block ${expectedNo} is missing`
      : `blocks ${expectedNo} to ${block.blockNo - 1} are missing`
  const isContinued = block.previousHash.equals(before?.blockHash ?? noBlock)
  return [
    ...(isGap ? [gap] : []),
    ...(!isGap && !isContinued ? [`block ${block.blockNo} does not continue the block before it`] : []),
    ...(hashBlock(block).equals(block.blockHash) ? [] : [`the header of block ${block.blockNo} was changed`]),
    ...(rootOf(block.leafHashes).equals(block.root) && block.auditIds.length === block.rowCount
      ? []
      : [`the list of entries of block ${block.blockNo} was changed`]),
  ]
}

export const splitHashes = (joined: Buffer): Buffer[] =>
  Array.from({ length: joined.length / hashBytes }, (_, index) =>
    joined.subarray(index * hashBytes, (index + 1) * hashBytes),
  )
