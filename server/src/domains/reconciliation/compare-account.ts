import type { Connector } from '../../connectors/kit/connector.ts'
import type { ProviderTransaction, TransactionPage } from '../../connectors/kit/lists.ts'
import { installationOrgId } from '../../db/vault.ts'
import { conflict } from '../../lib/errors.ts'
import type { PaymentDeps } from '../payments/record.ts'
import { isOpen } from '../payments/rules.ts'
import { matchRefunds } from './match-refunds.ts'
import { matchTransactions } from './match-transactions.ts'
import type { Account, OwnAttempt, Compared } from './record.ts'
import { compare, missingHere, missingThere, refundMissed } from './rules.ts'
import { selectPaidAttemptsAcrossOrgs } from './store.ts'

const pagesLimit = 1_000
const ownLimit = 300_000
/** Younger transactions may legitimately be on one side only. */
export const settlingMs = 10 * 60_000

/** Compares the provider's list with our attempts, for all organisations that use the account. Read-only. */
export async function compareAccount(deps: PaymentDeps, account: Account, since: Date): Promise<Compared[]> {
  const { ownerId, accountId } = account
  const connector = await deps.connectors.load(ownerId, accountId)
  if (!connector?.listTransactions) throw conflict('This provider cannot list its transactions.')
  const until = new Date(deps.clock.now().getTime() - settlingMs)
  const transactions = await listAll(connector, since)
  const refunds = (await connector.listRefunds?.({ since })) ?? []
  const read: PaymentDeps['db']['acrossOrgs'] = (work) =>
    ownerId === installationOrgId ? deps.db.acrossOrgs(work) : deps.db.inOrg(ownerId, work)
  const [matches, paid, missedRefunds] = await read(async (tx) => [
    await matchTransactions(tx, account, { since, transactions }),
    await selectPaidAttemptsAcrossOrgs(tx, account, { since, until, limit: ownLimit }),
    await matchRefunds(tx, account, { since, transactions, refunds }),
  ])
  const listed = new Set(matches.map(({ attempt }) => attempt?.reference))
  const isListed = ({ reference, direction }: OwnAttempt): boolean =>
    listed.has(reference) || !lists(connector, direction)
  return [
    ...matches.flatMap(({ parts, attempt, isKnownElsewhere }) => {
      // An attempt that has just ended may have an older state in the list.
      if (attempt && !isOpen(attempt.state) && attempt.updatedAt >= until) return []
      const settled = parts.filter(({ createdAt }) => createdAt < until)
      const [first] = settled
      if (!first) return []
      const finding = attempt ? compare(settled, attempt) : isKnownElsewhere ? undefined : missingHere(first)
      return [{ orgId: attempt?.orgId ?? ownerId, finding }]
    }),
    ...paid
      .filter((attempt) => !isListed(attempt))
      .map((attempt) => ({ orgId: attempt.orgId, finding: missingThere(attempt) })),
    ...missedRefunds.map(({ refund, attempt }) => ({
      orgId: attempt?.orgId ?? ownerId,
      finding: refundMissed(refund, attempt),
    })),
  ]
}

const lists = ({ listsOnly }: Connector, direction: string): boolean =>
  listsOnly === undefined || (listsOnly === 'payout') === (direction === 'outbound')

async function listAll(connector: Connector, since: Date): Promise<ProviderTransaction[]> {
  const all: ProviderTransaction[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesLimit; page++) {
    const found: TransactionPage | undefined = await connector.listTransactions?.(since, cursor)
    all.push(...(found?.transactions ?? []))
    cursor = found?.nextCursor ?? null
    if (cursor === null) return all
  }
  // With a partial list, every transaction on the rest would seem to be missing at the provider.
  throw conflict('The provider lists more transactions than can be compared at once. Choose a later start.')
}
