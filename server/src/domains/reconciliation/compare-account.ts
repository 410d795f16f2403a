import type { Connector } from '../../connectors/kit/connector.ts'
import type { ProviderTransaction, TransactionPage } from '../../connectors/kit/lists.ts'
import { installationOrgId } from '../../db/vault.ts'
import { conflict } from '../../lib/errors.ts'
import type { PaymentDeps } from '../payments/record.ts'
import { isOpen } from '../payments/rules.ts'
import { matchTransactions } from './match-transactions.ts'
import { compare, missingHere, missingThere, type Finding } from './rules.ts'
import { selectPaidAttemptsAcrossOrgs, type Account, type OwnAttempt } from './store.ts'

/** What is listed or should be, and whose it is; of what nobody has, the account's owner. */
export interface Compared {
  orgId: string
  finding: Finding | undefined
}

const pagesLimit = 1_000
const ownLimit = 300_000
/** What is younger than this may be on one side only, and rightly so. */
export const settlingMs = 10 * 60_000

/** Holds the provider's list against ours, for everybody who uses the account. Changes nothing. */
export async function compareAccount(deps: PaymentDeps, account: Account, since: Date): Promise<Compared[]> {
  const { ownerId, provider } = account
  const connector = await deps.connectors.load(ownerId, provider)
  if (!connector?.listTransactions) throw conflict('This provider cannot list its transactions.')
  const until = new Date(deps.clock.now().getTime() - settlingMs)
  const transactions = await listAll(connector, since)
  const read: PaymentDeps['db']['acrossOrgs'] = (work) =>
    ownerId === installationOrgId ? deps.db.acrossOrgs(work) : deps.db.inOrg(ownerId, work)
  const [matches, paid] = await read(async (tx) => [
    await matchTransactions(tx, account, { since, transactions }),
    await selectPaidAttemptsAcrossOrgs(tx, account, { since, until, limit: ownLimit }),
  ])
  const listed = new Set(matches.map(({ attempt }) => attempt?.reference))
  const isListed = ({ reference, direction }: OwnAttempt): boolean =>
    listed.has(reference) || !lists(connector, direction)
  return [
    ...matches.flatMap(({ parts, attempt, isElsewhere }) => {
      // What has just ended here may be older on the list.
      if (attempt && !isOpen(attempt.state) && attempt.updatedAt >= until) return []
      const settled = parts.filter(({ createdAt }) => createdAt < until)
      const [first] = settled
      if (!first) return []
      const finding = attempt ? compare(settled, attempt) : isElsewhere ? undefined : missingHere(first)
      return [{ orgId: attempt?.orgId ?? ownerId, finding }]
    }),
    ...paid
      .filter((attempt) => !isListed(attempt))
      .map((attempt) => ({ orgId: attempt.orgId, finding: missingThere(attempt) })),
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
  // With a part of the list, everything on the rest of it would seem to be missing there.
  throw conflict('The provider lists more than can be compared at once: take a later time.')
}
