import { between, pick, type Chance } from '../shared/chance.ts'
import { corridorName, corridors, type Corridor } from './corridors.ts'

type PlannedRow = { corridor: Corridor; sentinel: string; amount: number }
/** What the clerk does while the batch is sent. */
type Interruption = 'nothing' | 'pause' | 'cancel'

/** A batch of payouts as its clerk intends it. All random choices about it are made here. */
export type PlannedBatch = {
  rows: PlannedRow[]
  /** The upload is tried with these rows first, and has to be refused. */
  wrongRows: number
  review: 'approve' | 'reject' | 'leave'
  interruption: Interruption
}

const paymentsPerBatch = 80
const reviewed = 'bank_transfer payout NG'
const reviewFromMajor = 500_000

/** The manual provider would need somebody who confirms each payout. */
const payable = corridors
  .filter(({ direction, providers }) => direction === 'payout' && !providers.includes('manual'))
  .map((corridor) => [corridor, corridorName(corridor) === reviewed ? 3 : 1] as const)

type Sentinels = readonly (readonly [string, number])[]

/** The batches by the index of the payment with which each is uploaded; at least one. */
export function planBatches(
  chance: Chance,
  payments: number,
  sentinels: Sentinels,
): Map<number, PlannedBatch> {
  const count = Math.max(1, Math.round(payments / paymentsPerBatch))
  // There are no faults during the last tenth of the payments.
  const gap = (payments * 0.9) / count
  return new Map(
    Array.from({ length: count }, (_, index) => [
      Math.floor((index + 0.5) * gap),
      planBatch(chance, sentinels),
    ]),
  )
}

function planBatch(chance: Chance, sentinels: Sentinels): PlannedBatch {
  const rows = Array.from({ length: between(chance, 5, 20) }, () => ({
    corridor: pick(chance, payable),
    sentinel: pick(chance, sentinels),
    amount: between(chance, 20, 900),
  }))
  const large = payable.find(([corridor]) => corridorName(corridor) === reviewed)?.[0]
  if (large && chance() < 0.5)
    rows.push({ corridor: large, sentinel: '00', amount: reviewFromMajor + between(chance, 0, 1_000) })
  return {
    rows,
    wrongRows: between(chance, 1, 4),
    review: pick<PlannedBatch['review']>(chance, [
      ['approve', 7],
      ['reject', 2],
      ['leave', 1],
    ]),
    interruption: pick<Interruption>(chance, [
      ['nothing', 5],
      ['pause', 3],
      ['cancel', 2],
    ]),
  }
}
