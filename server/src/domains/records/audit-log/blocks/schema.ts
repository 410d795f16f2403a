import { z } from 'zod'
import { dateTime, success, uuid } from '../../../../lib/requests/wire.ts'
import type { EntryProof, SealedHeader } from './record.ts'

export const headParams = z.object({ org_id: uuid })
export const proofParams = z.object({ org_id: uuid, audit_id: uuid })
export const proofQuery = z.object({
  until_block: z.coerce.number().int().min(1).optional().meta({
    description: 'The last block of `chain`, such as one whose hash you keep. The newest without it.',
  }),
})

const hash = z.string().meta({ description: 'SHA-256, in hexadecimal digits.' })

const block = z
  .object({
    org_id: uuid,
    block_no: z.int(),
    row_count: z.int(),
    root: hash,
    previous_hash: hash,
    block_hash: hash,
    sealed_at: dateTime,
  })
  .meta({ id: 'AuditBlock' })

const proof = z
  .object({
    audit_id: uuid,
    canonical: z.string().nullable().meta({
      description:
        'The entry as canonical JSON, whose hash is the leaf. Null for callers without `personal-data:read`.',
    }),
    leaf_hash: hash,
    leaf_index: z.int(),
    path: z.array(z.object({ side: z.enum(['left', 'right']), hash })),
    block,
    chain: z.array(block).meta({ description: 'The blocks after it, in order; at most 1,000.' }),
  })
  .meta({ id: 'AuditProof' })

export const headResponse = success(block)
export const proofResponse = success(proof)

export const toBlockView = (header: SealedHeader): z.input<typeof block> => ({
  org_id: header.orgId,
  block_no: header.blockNo,
  row_count: header.rowCount,
  root: header.root.toString('hex'),
  previous_hash: header.previousHash.toString('hex'),
  block_hash: header.blockHash.toString('hex'),
  sealed_at: header.sealedAt.toISOString(),
})

export const toProof = (one: EntryProof): z.input<typeof proof> => ({
  audit_id: one.auditId,
  canonical: one.canonical ?? null,
  leaf_hash: one.leafHash.toString('hex'),
  leaf_index: one.leafIndex,
  path: one.path.map(({ side, hash: beside }) => ({ side, hash: beside.toString('hex') })),
  block: toBlockView(one.block),
  chain: one.chain.map(toBlockView),
})
