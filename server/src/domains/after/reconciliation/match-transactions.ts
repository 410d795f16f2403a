import type { ProviderTransaction } from '../../../connectors/kit/lists.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import { isUuid } from '../../../lib/ids.ts'
import type { Account, OwnAttempt } from './record.ts'
import {
  selectAttemptsByProviderRefAcrossOrgs,
  selectAttemptsByReferenceAcrossOrgs,
  selectDepositNames,
  selectLegsAcrossOrgs,
} from './store.ts'

/** A transaction by our reference, the provider's, or both. */
type TransactionIds = Pick<ProviderTransaction, 'reference' | 'providerRef'>

/** The provider may create a transaction this long after the attempt. */
const oldestAttemptMs = 7 * 24 * 60 * 60_000

/** Matches by our reference where the provider returns it, else by the provider's. */
export async function findAttempts<T extends TransactionIds>(
  tx: Tx,
  { accountId }: Account,
  { since, transactions }: { since: Date; transactions: readonly T[] },
): Promise<Map<T, OwnAttempt>> {
  const referenced = await selectAttemptsByReferenceAcrossOrgs(tx, accountId, uuidsOf(transactions))
  const byReference = new Map(referenced.map((attempt) => [attempt.reference, attempt]))
  const rest = transactions.filter(({ reference }) => !byReference.has(reference ?? ''))
  const named = await selectAttemptsByProviderRefAcrossOrgs(tx, {
    accountId,
    providerRefs: rest.map(({ providerRef }) => providerRef),
    since: new Date(since.getTime() - oldestAttemptMs),
  })
  const byProviderRef = new Map(named.map((attempt) => [attempt.providerRef, attempt]))
  return new Map(
    transactions.flatMap((one) => {
      const attempt = byReference.get(one.reference ?? '') ?? byProviderRef.get(one.providerRef)
      return attempt ? [[one, attempt] as const] : []
    }),
  )
}

/** Those that are no payments but known: ramp legs, and deposits that were booked. */
export async function findKnownElsewhere(
  tx: Tx,
  { ownerId, accountId }: Account,
  transactions: readonly ProviderTransaction[],
): Promise<Set<ProviderTransaction>> {
  if (transactions.length === 0) return new Set()
  const legs = await selectLegsAcrossOrgs(tx, {
    accountId,
    references: uuidsOf(transactions),
    providerRefs: transactions.map(({ providerRef }) => providerRef),
  })
  const deposits = await selectDepositNames(tx, ownerId, { accountId, names: transactions.flatMap(namesOf) })
  const known = new Set([
    ...legs.flatMap(({ reference, providerRef }) => [reference, providerRef]),
    ...deposits,
  ])
  return new Set(transactions.filter((one) => namesOf(one).some((name) => known.has(name))))
}

const namesOf = ({ reference, providerRef }: ProviderTransaction): string[] =>
  reference === null ? [providerRef] : [reference, providerRef]

const uuidsOf = (transactions: readonly TransactionIds[]): string[] =>
  transactions.flatMap(({ reference }) => (reference !== null && isUuid(reference) ? [reference] : []))
