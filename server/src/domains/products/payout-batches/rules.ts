import { createHash } from 'node:crypto'
import type { Money } from '../../../lib/money/money.ts'
import type { Status } from '../../payments/lifecycle/rules.ts'

export const batchStatuses = [
  'awaiting_approval',
  'approved',
  'sending',
  'paused',
  'completed',
  'rejected',
  'canceled',
] as const
export type BatchStatus = (typeof batchStatuses)[number]

export const rowStates = ['pending', 'sent', 'failed', 'canceled'] as const
export type RowState = (typeof rowStates)[number]

export const rowsLimit = 10_000

/** The errors that an answer lists; all are counted. */
export const errorsLimit = 100

/** How long a second batch with the same rows is taken for a mistake. */
export const duplicateMs = 24 * 60 * 60_000

interface PaidRow {
  clientReference: string
  beneficiaryId: string
  amount: Money
  description: string | null
}

/** Equal for the same payouts, whatever the order and spelling of their rows. */
export function fingerprintOf(rows: readonly PaidRow[]): Buffer {
  const hash = createHash('sha256')
  // References are unique in a batch.
  for (const row of rows.toSorted((a, b) => (a.clientReference < b.clientReference ? -1 : 1))) {
    const { amountMinor, currency } = row.amount
    const beneficiaryId = row.beneficiaryId.toLowerCase()
    hash.update(
      JSON.stringify([row.clientReference, beneficiaryId, `${amountMinor}`, currency, row.description]),
    )
  }
  return hash.digest()
}

const moves: Readonly<Record<BatchStatus, readonly BatchStatus[]>> = {
  // The first approval of two leaves it waiting.
  awaiting_approval: ['awaiting_approval', 'approved', 'rejected', 'canceled'],
  approved: ['sending', 'paused', 'canceled'],
  sending: ['paused', 'completed', 'canceled'],
  paused: ['sending', 'canceled'],
  completed: [],
  rejected: [],
  canceled: [],
}

export const canMove = (from: BatchStatus, to: BatchStatus): boolean => moves[from].includes(to)

/** Refusals that concern the organisation and not the row: every further row would be refused as well. */
const pausing: ReadonlySet<string> = new Set(['INSUFFICIENT_FUNDS', 'KYB_REQUIRED'])

export const pausesBatch = (code: string): boolean => pausing.has(code)

/** How many rows are where, counted when it is asked for. */
export interface Progress {
  pending: number
  inProgress: number
  completed: number
  failed: number
  canceled: number
}

const parts: Readonly<Record<Status, keyof Progress>> = {
  initiated: 'inProgress',
  reviewed: 'inProgress',
  confirmed: 'inProgress',
  processing: 'inProgress',
  pending: 'inProgress',
  completed: 'completed',
  failed: 'failed',
  rejected: 'failed',
  refunded: 'failed',
  canceled: 'canceled',
}

export function progressOf(
  rows: ReadonlyMap<RowState, number>,
  payments: ReadonlyMap<Status, number>,
): Progress {
  const progress: Progress = {
    pending: rows.get('pending') ?? 0,
    inProgress: 0,
    completed: 0,
    failed: rows.get('failed') ?? 0,
    canceled: rows.get('canceled') ?? 0,
  }
  for (const [status, count] of payments) progress[parts[status]] += count
  return progress
}

const second = 1_000
const longestWaitMs = 300 * second

/** The wait doubles as the batch grows older, because what is slow to end is often very slow. */
export const progressPollMs = (sentAt: Date, now: Date): number =>
  Math.min(longestWaitMs, Math.max(second, now.getTime() - sentAt.getTime()))
