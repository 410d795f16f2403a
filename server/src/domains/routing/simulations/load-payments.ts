import { boundedMap } from '../../../lib/flow/bounded-cache.ts'
import type { CardBins } from '../../../lib/instruments/card-bins.ts'
import type { ReplayPayment, ReplayRoute, Verdict } from './record.ts'
import type { ReplayRow } from './store.ts'

interface Candidates {
  healthy: ReplayRoute[]
  unhealthy: ReplayRoute[]
}

const candidatesLimit = 2_000
/** Payments of one corridor mostly have the same text, so most of them need no parsing. */
export const createCandidateReader = (): ((considered: string) => Candidates) => {
  const known = boundedMap<string, Candidates>(candidatesLimit)
  return (considered) => {
    const found = known.get(considered) ?? parseCandidates(considered)
    known.set(considered, found)
    return found
  }
}

interface StoredCandidate {
  provider: string
  accountId: string | null
  taken: boolean
  reason: string
}

/** In the order of their priority, as they were judged then. */
function parseCandidates(considered: string): Candidates {
  const list = JSON.parse(considered) as StoredCandidate[] // written by the routing of a payment
  const candidates: Candidates = { healthy: [], unhealthy: [] }
  for (const { provider, accountId, taken, reason } of list) {
    if (!taken || accountId === null) continue
    const isDemoted = reason.endsWith('moved to the end')
    candidates[isDemoted ? 'unhealthy' : 'healthy'].push({ provider, accountId })
  }
  return candidates
}

/** Undefined for what a replay cannot use: payments that were never sent, and those without candidates. */
export function toReplayPayment(
  row: ReplayRow,
  { candidatesOf, cardBins }: { candidatesOf: (considered: string) => Candidates; cardBins: CardBins },
): ReplayPayment | undefined {
  if (row.accountId === null || row.considered === null || row.direction === 'external') return undefined
  const candidates = candidatesOf(row.considered)
  if (candidates.healthy.length + candidates.unhealthy.length === 0) return undefined
  const source = { amountMinor: BigInt(row.amountMinor), currency: row.currency }
  const target = { amountMinor: BigInt(row.targetMinor), currency: row.targetCurrency }
  const isPayout = row.direction === 'outbound'
  const carried = isPayout ? target : source
  return {
    seed: row.seed,
    at: row.at,
    direction: isPayout ? 'payout' : 'payin',
    method: row.method,
    country: row.country,
    source,
    carried,
    cardBrand: row.cardBrand,
    issuerCountry: row.first6 === null ? null : (cardBins.find(row.first6)?.country ?? null),
    metadata: row.metadata,
    ...candidates,
    accountId: row.accountId,
    verdict: verdictOf(row),
    endedAt: row.endedAt,
    costShare:
      row.costMinor === null || row.costCurrency !== carried.currency
        ? null
        : Number(row.costMinor) / Number(carried.amountMinor),
  }
}

function verdictOf({ state, isCustomers }: ReplayRow): Verdict {
  if (state === 'succeeded') return 'succeeded'
  if (state === 'not_sent') return 'lost'
  const isLost = (state === 'declined' || state === 'failed') && isCustomers !== true
  return isLost ? 'lost' : undefined
}
